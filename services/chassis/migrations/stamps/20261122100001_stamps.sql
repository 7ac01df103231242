-- When each kind of a reader's saved things last changed, and how many stand: written in the transaction
-- of the change. Bookmarks had this table before it was the chassis's.
CREATE TABLE IF NOT EXISTS stamps (
    profile_id bigint NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    -- The stamp before this one, so that a client can tell whether it missed another device's change.
    previous_at timestamptz,
    count bigint NOT NULL CHECK (count >= 0),
    PRIMARY KEY (profile_id, kind)
);
