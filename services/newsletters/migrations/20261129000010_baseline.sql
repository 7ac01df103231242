-- Current and former recipients of newsletters: readers by account, guests by address.
CREATE TABLE subscribers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The account; NULL for a guest.
    profile_id bigint UNIQUE,
    email text NOT NULL,
    -- The form in which addresses are compared.
    email_key text NOT NULL,
    -- Whether the owner of the address has confirmed it. Nothing is sent before that.
    is_confirmed boolean NOT NULL,
    -- The instant of the event that brought the account's address: later events win.
    email_at timestamptz NOT NULL,
    -- Part of the links in their mails.
    token text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    -- When they last changed a choice.
    changed_at timestamptz NOT NULL,
    CHECK (profile_id IS NOT NULL OR is_confirmed)
);
CREATE UNIQUE INDEX subscribers_guests ON subscribers (email_key) WHERE profile_id IS NULL;
CREATE INDEX subscribers_addresses ON subscribers (email_key);

-- Tokens of subscribers that were merged into others, so that the links in mails they received still work.
CREATE TABLE former_tokens (
    token text PRIMARY KEY,
    subscriber_id bigint NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE
);
CREATE INDEX former_tokens_subscribers ON former_tokens (subscriber_id);

-- Active subscriptions.
CREATE TABLE subscriptions (
    subscriber_id bigint NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
    kind text NOT NULL,
    since timestamptz NOT NULL,
    -- Whether the welcome mail was queued.
    is_welcomed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (subscriber_id, kind)
);
CREATE INDEX subscriptions_kinds ON subscriptions (kind, subscriber_id);

-- Subscriptions that were requested for an address, until its owner confirms them.
CREATE TABLE requests (
    email_key text NOT NULL,
    kind text NOT NULL,
    email text NOT NULL,
    -- The evidence: which text was shown, on which page, and to which network.
    wording bytea NOT NULL,
    page text NOT NULL,
    way text NOT NULL,
    network text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (email_key, kind)
);
CREATE INDEX requests_at ON requests (at);

-- Links in confirmation mails, by the digest of their secrets.
CREATE TABLE confirmation_links (
    token_digest bytea PRIMARY KEY,
    email_key text NOT NULL,
    -- The address without the parts that mailbox owners may append: confirmation mails are counted per mailbox.
    mailbox text NOT NULL,
    -- The newsletters that the mail named.
    kinds text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX confirmation_links_mailboxes ON confirmation_links (mailbox, created_at);
CREATE INDEX confirmation_links_addresses ON confirmation_links (email_key);
CREATE INDEX confirmation_links_expiry ON confirmation_links (expires_at);

-- The key of the hashes of addresses below. It is made at the first start and never replaced: evidence must be found for as
-- long as it is kept, even if the keys in the settings change.
CREATE TABLE address_key (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    key bytea NOT NULL
);

-- Mailboxes, as keyed hashes, whose owners do not want further confirmation mails.
CREATE TABLE refusals (
    mailbox bytea PRIMARY KEY,
    at timestamptz NOT NULL
);

-- Texts beside controls, by their SHA-256.
CREATE TABLE wordings (
    digest bytea PRIMARY KEY,
    text text NOT NULL
);

-- The ledger of consent. Entries are appended in the transactions of their acts and linked soon after, in an independent
-- order: each link's digest covers its entry and the previous digest.
CREATE TABLE consents (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The address, as a keyed hash; NULL after the retention of the content.
    address bytea,
    -- Empty if the act is about all newsletters.
    kind text,
    act text,
    wording bytea REFERENCES wordings (digest),
    way text,
    page text,
    network text,
    at timestamptz NOT NULL,
    position bigint UNIQUE,
    digest bytea,
    CHECK ((position IS NULL) = (digest IS NULL)),
    CHECK (address IS NOT NULL OR digest IS NOT NULL)
);
CREATE INDEX consents_addresses ON consents (address, id) WHERE address IS NOT NULL;
CREATE INDEX consents_unlinked ON consents (id) WHERE position IS NULL;
CREATE INDEX consents_age ON consents (at) WHERE address IS NOT NULL;

-- Issues of newsletters, from the timetable or scheduled by an operator.
CREATE TABLE issues (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    -- Unique within a kind: a local date for the timetable ("2026-12-03"), otherwise a name that the operator chose.
    slot text NOT NULL,
    -- 'scheduled' until it is composed, 'sending', 'sent', 'empty' (there was nothing new), 'cancelled'.
    state text NOT NULL DEFAULT 'scheduled',
    -- Content published from `since` until `until` can be in it.
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    send_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    -- An operator's text, or NULL.
    draft jsonb,
    -- The composed issue.
    content jsonb,
    -- The last subscriber whose delivery was listed; `is_listed` once all are.
    listed_until bigint NOT NULL DEFAULT 0,
    is_listed boolean NOT NULL DEFAULT false,
    UNIQUE (kind, slot)
);
CREATE INDEX issues_kinds ON issues (kind, until);
CREATE INDEX issues_archived ON issues (send_at, id) WHERE state IN ('sending', 'sent');

-- Each recipient's delivery of an issue.
CREATE TABLE deliveries (
    issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    subscriber_id bigint NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
    -- 'queued', 'deferred' (the server wants it later), 'accepted', 'bounced', 'complained', 'failed' (deferred for too long),
    -- 'suppressed' (the address takes no mail), 'withdrawn' (unsubscribed or cancelled before it was sent).
    fate text NOT NULL DEFAULT 'queued',
    -- The server's last answer, and when it arrived.
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

-- Recent mail to domains for which the settings limit the pace: a token bucket each, stored as the instant at which it is
-- full again.
CREATE TABLE paces (
    domain text PRIMARY KEY,
    full_at timestamptz NOT NULL
);
CREATE INDEX paces_full ON paces (full_at);

-- How often the links of an issue were followed, by all its readers together.
CREATE TABLE clicks (
    issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    -- The number of the linked thing in the issue, from 1.
    number integer NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (issue_id, number)
);

-- Whether a reader allows pages to load content of other companies: the reader's last choice. The ledger has all choices.
CREATE TABLE third_party_choices (
    profile_id bigint PRIMARY KEY,
    is_allowed boolean NOT NULL,
    -- The digest of the text shown, a key of wordings; NULL for a refusal.
    wording bytea,
    at timestamptz NOT NULL,
    CHECK (is_allowed = (wording IS NOT NULL))
);
