-- Calls with an idempotency key and their answers, written in the transaction of the effect: a repeat within 24 hours gets
-- the same answer and changes nothing.
CREATE TABLE idempotency_keys (
    -- A code made of the caller, the key and the call. It reveals none of them.
    name text PRIMARY KEY,
    -- The digest of the request: the same key with a different request is refused.
    request bytea NOT NULL,
    answer bytea NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
