-- Feeds and calendars of others that are polled on a schedule: their state. What they are stands in the site's file.
CREATE TABLE sources (
    name text PRIMARY KEY,
    -- A digest of the settings with which it was polled last.
    config text NOT NULL DEFAULT '',
    first_seen_at timestamptz NOT NULL,
    next_poll_at timestamptz NOT NULL,
    -- The turn of the process that polls it.
    lease uuid,
    leased_until timestamptz,
    polled_at timestamptz,
    succeeded_at timestamptz,
    result text CHECK (result IN ('imported', 'unchanged', 'failed')),
    reason text NOT NULL DEFAULT '',
    -- Polls that have failed since the last one that did not.
    failures integer NOT NULL DEFAULT 0,
    -- Of the last answer that was imported.
    etag text NOT NULL DEFAULT '',
    last_modified text NOT NULL DEFAULT '',
    digest text NOT NULL DEFAULT '',
    created integer NOT NULL DEFAULT 0,
    changed integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0
);
