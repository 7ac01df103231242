-- Readers' private calendar feeds.
CREATE TABLE calendar_feeds (
    profile_id bigint PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
    -- The secret is made of it with a key of the system, so that nobody reads secrets in this table.
    nonce uuid NOT NULL,
    -- SHA-256 of the secret.
    token_digest bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
);
