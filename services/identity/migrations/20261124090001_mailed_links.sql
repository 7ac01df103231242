-- A session's public number, by which its reader ends it from another device. Sessions of the previous release get
-- one from the default.
ALTER TABLE sessions ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY;
CREATE UNIQUE INDEX sessions_id ON sessions (id);

-- An address that becomes the account's once its owner has used the link that was mailed to it.
ALTER TABLE profiles ADD COLUMN pending_email text;

-- Links in mails that act for an account without a session: one of each purpose per account, the latest.
CREATE TABLE mailed_links (
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    -- "confirm-email", "reset-password".
    purpose text NOT NULL,
    -- SHA-256 of the link's secret.
    token_digest bytea NOT NULL UNIQUE,
    -- The address that it was mailed to, as the reader wrote it.
    email text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, purpose)
);
CREATE INDEX mailed_links_expired ON mailed_links (expires_at);
