-- Calls that carry an idempotency key, with what they were answered, written in the transaction of their
-- effect: a repeat within 24 hours is answered the same and changes nothing.
CREATE TABLE idempotency_keys (
    -- A code of who sent which key to which call; it tells neither.
    name text PRIMARY KEY,
    -- The digest of the request: the same key with another is refused.
    request bytea NOT NULL,
    answer bytea NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
