-- Events, written in the transaction of the change that they announce and deleted once the relay has published them.
CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    exchange text NOT NULL,
    key text NOT NULL,
    payload bytea NOT NULL,
    traceparent text,
    created_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL
);
CREATE INDEX outbox_due ON outbox (next_attempt_at, seq);

-- Events that this service has handled: delivery is at least once, the effect is exactly once.
CREATE TABLE inbox (
    queue text NOT NULL,
    event_id uuid NOT NULL,
    handled_at timestamptz NOT NULL,
    PRIMARY KEY (queue, event_id)
);
CREATE INDEX inbox_handled_at ON inbox (handled_at);
