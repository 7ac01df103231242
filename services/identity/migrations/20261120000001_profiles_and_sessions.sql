CREATE TABLE profiles (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    full_name text NOT NULL,
    -- As the reader wrote it.
    email text NOT NULL,
    -- Lower case: one account per address, however it is written.
    email_key text NOT NULL UNIQUE,
    email_verified boolean NOT NULL DEFAULT false,
    -- Argon2id in the PHC string format.
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE sessions (
    -- SHA-256 of the cookie's value.
    token_digest bytea PRIMARY KEY,
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    device text NOT NULL,
    created_at timestamptz NOT NULL,
    last_active_at timestamptz NOT NULL
);
CREATE INDEX sessions_of_profile ON sessions (profile_id);
CREATE INDEX sessions_last_active ON sessions (last_active_at);

-- This service's copy of every reader's last updates, from the bus.
CREATE TABLE last_updates (
    profile_id bigint NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, kind)
);
