-- Counts by kind of the records that erasures have deleted. The table identifies no reader.
CREATE TABLE erased (
    erasure_id uuid NOT NULL,
    -- As in receipts and exports: "favourites", …
    kind text NOT NULL,
    count bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (erasure_id, kind)
);
CREATE INDEX erased_at ON erased (at);
