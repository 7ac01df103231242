-- Readers' calendars at Google.
CREATE TABLE calendar_grants (
    profile_id bigint PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
    -- Both tokens are encrypted with a key of the system, the one with this number.
    key_id text NOT NULL,
    refresh_token bytea NOT NULL,
    access_token bytea NOT NULL,
    access_expires_at timestamptz NOT NULL,
    -- When Google last gave an access token, and so the grant stood.
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
    -- The PKCE verifier, encrypted as tokens are.
    verifier bytea NOT NULL,
    -- The event that is saved with the consent; NULL if there is none, or once it is.
    event_id bigint,
    -- The path to return to.
    next text NOT NULL,
    created_at timestamptz NOT NULL,
    -- When it was completed.
    completed_at timestamptz,
    PRIMARY KEY (profile_id, state_digest)
);
CREATE INDEX calendar_authorizations_by_age ON calendar_authorizations (created_at);

-- Bookmarks with the calendar, from the bus, and what has been done about them.
CREATE TABLE calendar_entries (
    profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    bookmark_id bigint NOT NULL,
    event_id bigint NOT NULL,
    -- The id of the calendar's event, made of the bookmark: the same however often it is written.
    google_id text NOT NULL,
    -- When it was written to the calendar.
    written_at timestamptz,
    -- When the bookmark was removed. Kept for a while, because events come in any order.
    unwanted_at timestamptz,
    PRIMARY KEY (profile_id, bookmark_id)
);
CREATE INDEX calendar_entries_unwanted ON calendar_entries (unwanted_at) WHERE unwanted_at IS NOT NULL;
