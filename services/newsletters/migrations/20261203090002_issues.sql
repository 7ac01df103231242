-- Issues of newsletters: those that the timetable asks for, and those that an operator schedules.
CREATE TABLE issues (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    -- One issue of a kind for each: a local date for the timetable ("2026-12-03"), an operator's own name otherwise.
    slot text NOT NULL,
    -- 'scheduled' until it is composed, 'sending', 'sent', 'empty' (there was nothing new), 'cancelled'.
    state text NOT NULL DEFAULT 'scheduled',
    -- What was published from `since` until `until` can be in it.
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    send_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    -- An operator's own text, or NULL.
    draft jsonb,
    -- What it says, once it is composed.
    content jsonb,
    -- The last subscriber whose delivery was listed; `is_listed` once there are no more.
    listed_until bigint NOT NULL DEFAULT 0,
    is_listed boolean NOT NULL DEFAULT false,
    UNIQUE (kind, slot)
);
CREATE INDEX issues_kinds ON issues (kind, until);
CREATE INDEX issues_archived ON issues (send_at, id) WHERE state IN ('sending', 'sent');

-- What became of an issue for each of its recipients.
CREATE TABLE deliveries (
    issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    subscriber_id bigint NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
    -- 'queued', 'deferred' (the server wants it later), 'accepted', 'bounced', 'complained', 'failed' (deferred for too long),
    -- 'suppressed' (the address takes no mail), 'withdrawn' (unsubscribed or cancelled before it was sent).
    fate text NOT NULL DEFAULT 'queued',
    -- The server's last answer, and when it came.
    answer text,
    at timestamptz NOT NULL,
    PRIMARY KEY (issue_id, subscriber_id)
);
CREATE INDEX deliveries_subscribers ON deliveries (subscriber_id);
CREATE INDEX deliveries_open ON deliveries (issue_id, subscriber_id) WHERE fate IN ('queued', 'deferred');

-- Addresses that take no mail, as keyed hashes.
CREATE TABLE suppressions (
    address bytea PRIMARY KEY,
    -- 'bounced' or 'complained'.
    reason text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX subscriptions_kinds ON subscriptions (kind, subscriber_id);
