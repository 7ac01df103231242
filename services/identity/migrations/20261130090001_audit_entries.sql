-- The audit log: acts on accounts, and failed attempts.
CREATE TABLE audit_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The account; NULL if no account had the address of a sign-in, or if the reader has left. The previous release
    -- deletes accounts without giving their entries a pseudonym: they go along.
    profile_id bigint REFERENCES profiles (id) ON DELETE CASCADE,
    -- Stands for the account of a reader who has left: a code of its id under a key of the system.
    pseudonym bytea,
    act text NOT NULL,
    -- The client's network, never its address; NULL if it is unknown, or one of too many.
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
