-- The passkeys of accounts (W3C Web Authentication).
CREATE TABLE passkeys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    -- The name by which browsers find the key. It is no secret.
    credential_id bytea NOT NULL UNIQUE,
    -- The public key, its counter and flags, in the form of webauthn-rs.
    credential jsonb NOT NULL,
    -- The `User-Agent` of the device that it was made on.
    device text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX passkeys_of_profile ON passkeys (profile_id);

-- Ceremonies that have been used, so that none is used again. Only those that succeed are recorded, until they would
-- have expired.
CREATE TABLE used_ceremonies (
    -- SHA-256 of the ceremony's text.
    digest bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX used_ceremonies_expired ON used_ceremonies (expires_at);

-- The number by which authenticators know an account, made with its first passkey. It says nothing about the reader.
ALTER TABLE profiles ADD COLUMN user_handle uuid UNIQUE;

-- An account that was made with a passkey has none; its password_hash then is one that no password has, so that the
-- release before this one refuses each, as it must.
ALTER TABLE profiles ADD COLUMN has_password boolean NOT NULL DEFAULT true;
