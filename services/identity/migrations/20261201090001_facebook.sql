-- The accounts that are connected with one at Facebook.
CREATE TABLE facebook_links (
    profile_id bigint PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
    -- Facebook's number of the person, which it gives to this site's app alone.
    facebook_id text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL
);

-- What was done when Facebook asked to delete a person's data. It names nobody.
CREATE TABLE facebook_deletions (
    -- SHA-256 of the confirmation code.
    code_digest bytea PRIMARY KEY,
    outcome text NOT NULL,
    requested_at timestamptz NOT NULL
);
CREATE INDEX facebook_deletions_by_age ON facebook_deletions (requested_at);

-- When the reader of a session last logged in with Facebook in it; for a while it proves who they are.
ALTER TABLE sessions ADD COLUMN facebook_login_at timestamptz;
