-- How many letters the servers of a domain have got of late, where the settings have a pace for it: a token bucket, which is
-- full again at an instant.
CREATE TABLE paces (
    domain text PRIMARY KEY,
    full_at timestamptz NOT NULL
);
CREATE INDEX paces_full ON paces (full_at);
