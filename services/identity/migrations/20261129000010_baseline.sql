CREATE TABLE profiles (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    full_name text NOT NULL,
    -- As the reader wrote it.
    email text NOT NULL,
    -- In lower case: one account per address, regardless of how it is written.
    email_key text NOT NULL UNIQUE,
    email_verified boolean NOT NULL DEFAULT false,
    -- Argon2id in the PHC string format. An account without a password has a hash that no password matches, so that
    -- signing in to it fails after the same time.
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL,
    -- An address that becomes the account's once its owner has used the link that was mailed to it.
    pending_email text,
    -- When an operator disabled the account: nobody can sign in to it.
    disabled_at timestamptz,
    -- Whether saved events are added to the reader's own calendar; NULL until the reader has chosen.
    calendar_sync boolean,
    -- The account's id for authenticators, made with the first passkey. It reveals nothing about the reader.
    user_handle uuid UNIQUE,
    -- False for an account that was created without one.
    has_password boolean NOT NULL DEFAULT true,
    -- When the reader last changed the public name; NULL if it is the name of the registration.
    named_at timestamptz
);
CREATE INDEX profiles_named ON profiles (named_at) WHERE named_at IS NOT NULL;

CREATE TABLE sessions (
    -- SHA-256 of the cookie's value.
    token_digest bytea PRIMARY KEY,
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    device text NOT NULL,
    created_at timestamptz NOT NULL,
    last_active_at timestamptz NOT NULL,
    -- The session's public number, with which its reader ends it from another device.
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- When the reader last logged in with Facebook in this session; for a while that proves the reader's identity.
    facebook_login_at timestamptz
);
CREATE INDEX sessions_of_profile ON sessions (profile_id);
CREATE INDEX sessions_last_active ON sessions (last_active_at);
CREATE UNIQUE INDEX sessions_id ON sessions (id);

-- This service's copy of every reader's last updates, from the bus.
CREATE TABLE last_updates (
    profile_id bigint NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, kind)
);

-- Links in mails that act for an account without a session. An account has at most one for each purpose, the latest.
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

-- Erasures of accounts: the state of the work, and then the receipt.
CREATE TABLE erasures (
    id uuid PRIMARY KEY,
    profile_id bigint NOT NULL,
    requested_at timestamptz NOT NULL,
    -- Needed until the receipt is mailed, and NULL from then on: the account's address, the address that waited for its
    -- confirmation, and the digests of the ended sessions.
    email text,
    pending_email text,
    email_verified boolean NOT NULL,
    sessions bytea[],
    -- When all services had erased everything.
    completed_at timestamptz,
    -- The receipt, a JSON Web Signature, and the SHA-256 of the secret in its link.
    receipt text,
    token_digest bytea UNIQUE,
    CHECK ((completed_at IS NULL) = (receipt IS NULL) AND (receipt IS NULL) = (token_digest IS NULL))
);
CREATE INDEX erasures_completed ON erasures (completed_at);

-- All public keys (Ed25519) that have signed receipts: readers may show a receipt years later.
CREATE TABLE receipt_keys (
    -- SHA-256 of the key, in hexadecimal.
    id text PRIMARY KEY,
    public_key bytea NOT NULL,
    first_used_at timestamptz NOT NULL
);

-- Readers' private calendar feeds.
CREATE TABLE calendar_feeds (
    profile_id bigint PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
    -- The secret is derived from the nonce with a key of the system, so that this table reveals no secrets.
    nonce uuid NOT NULL,
    -- SHA-256 of the secret.
    token_digest bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
);

-- The passkeys of accounts (W3C Web Authentication).
CREATE TABLE passkeys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    -- The name by which browsers find the key. It is not secret.
    credential_id bytea NOT NULL UNIQUE,
    -- The public key, its counter and flags, in the format of webauthn-rs.
    credential jsonb NOT NULL,
    -- The `User-Agent` of the device on which it was created.
    device text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX passkeys_of_profile ON passkeys (profile_id);

-- Ceremonies that succeeded, so that none is used twice. They are recorded until they would have expired.
CREATE TABLE used_ceremonies (
    -- SHA-256 of the ceremony's text.
    digest bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX used_ceremonies_expired ON used_ceremonies (expires_at);

-- Access to readers' calendars at Google.
CREATE TABLE calendar_grants (
    profile_id bigint PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
    -- The system's key with which both tokens are encrypted.
    key_id text NOT NULL,
    refresh_token bytea NOT NULL,
    access_token bytea NOT NULL,
    access_expires_at timestamptz NOT NULL,
    -- When Google last issued an access token, which proves that the grant was valid.
    checked_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX calendar_grants_by_key ON calendar_grants (key_id);

-- Events that readers intend to save once their calendar is authorised, one per session.
CREATE TABLE calendar_intents (
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    -- SHA-256 of the cookie's value.
    session_digest bytea NOT NULL,
    event_id bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, session_digest)
);
CREATE INDEX calendar_intents_expire ON calendar_intents (expires_at);

-- Authorisations that readers have begun.
CREATE TABLE calendar_authorizations (
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    -- SHA-256 of the state in the address.
    state_digest bytea NOT NULL,
    -- SHA-256 of the cookie's value.
    session_digest bytea NOT NULL,
    -- The PKCE verifier, encrypted like tokens.
    verifier bytea NOT NULL,
    -- The event that is saved with the consent; NULL if there is none, or once it is saved.
    event_id bigint,
    -- The path to return to.
    next text NOT NULL,
    created_at timestamptz NOT NULL,
    completed_at timestamptz,
    PRIMARY KEY (profile_id, state_digest)
);
CREATE INDEX calendar_authorizations_by_age ON calendar_authorizations (created_at);

-- Bookmarks with the calendar, from the bus, and the state of their entries there.
CREATE TABLE calendar_entries (
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    bookmark_id bigint NOT NULL,
    event_id bigint NOT NULL,
    -- The id of the calendar's event, derived from the bookmark so that every attempt to write it uses the same id.
    google_id text NOT NULL,
    -- When it was written to the calendar.
    written_at timestamptz,
    -- When the bookmark was removed. The row is kept for a while, because events arrive in any order.
    unwanted_at timestamptz,
    PRIMARY KEY (profile_id, bookmark_id)
);
CREATE INDEX calendar_entries_unwanted ON calendar_entries (unwanted_at) WHERE unwanted_at IS NOT NULL;

-- The audit log: acts on accounts, and failed attempts.
CREATE TABLE audit_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The account; NULL if no account had the address of a sign-in, or if the reader has left.
    profile_id bigint REFERENCES profiles (id) ON DELETE CASCADE,
    -- Identifies the account of a reader who has left: a code of its id under a key of the system.
    pseudonym bytea,
    act text NOT NULL,
    -- The client's network, never its address; NULL if it is unknown or if the entry covers several.
    network text,
    -- The operator who ran the command.
    operator text,
    -- Failed attempts of one hour from one network are one entry: their hour, while they are counted. NULL for others.
    hour timestamptz,
    times bigint NOT NULL DEFAULT 1,
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    CHECK (pseudonym IS NULL OR (profile_id IS NULL AND hour IS NULL))
);
CREATE UNIQUE INDEX audit_entries_failures ON audit_entries (coalesce(profile_id, 0), act, hour, coalesce(network, ''))
    WHERE hour IS NOT NULL;
CREATE INDEX audit_entries_of_profile ON audit_entries (profile_id, act, id);
CREATE INDEX audit_entries_of_pseudonym ON audit_entries (pseudonym) WHERE pseudonym IS NOT NULL;
CREATE INDEX audit_entries_last ON audit_entries (last_at, id);

-- Accounts that are connected to an account at Facebook.
CREATE TABLE facebook_links (
    profile_id bigint PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
    -- Facebook's id of the person, valid only for this site's app.
    facebook_id text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL
);

-- The outcomes of Facebook's requests to delete a person's data. The table identifies no person.
CREATE TABLE facebook_deletions (
    -- SHA-256 of the confirmation code.
    code_digest bytea PRIMARY KEY,
    outcome text NOT NULL,
    requested_at timestamptz NOT NULL
);
CREATE INDEX facebook_deletions_by_age ON facebook_deletions (requested_at);
