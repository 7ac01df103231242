-- Those who get newsletters, and those who did: readers by their accounts, guests by their addresses.
CREATE TABLE subscribers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The account; NULL for a guest.
    profile_id bigint UNIQUE,
    email text NOT NULL,
    -- The form by which addresses are compared.
    email_key text NOT NULL,
    -- Whether the owner of the address has confirmed it. Nothing is sent before.
    is_confirmed boolean NOT NULL,
    -- The instant of the event that has told the account's address: later ones win.
    email_at timestamptz NOT NULL,
    -- In the links of their mails.
    token text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    -- When they last chose anything.
    changed_at timestamptz NOT NULL,
    CHECK (profile_id IS NOT NULL OR is_confirmed)
);
CREATE UNIQUE INDEX subscribers_guests ON subscribers (email_key) WHERE profile_id IS NULL;
CREATE INDEX subscribers_addresses ON subscribers (email_key);

-- Tokens of subscribers who have become others: the links of mails that were sent to them go on working.
CREATE TABLE former_tokens (
    token text PRIMARY KEY,
    subscriber_id bigint NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE
);
CREATE INDEX former_tokens_subscribers ON former_tokens (subscriber_id);

-- The newsletters that are on.
CREATE TABLE subscriptions (
    subscriber_id bigint NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
    kind text NOT NULL,
    since timestamptz NOT NULL,
    -- Whether its welcome mail has been queued.
    is_welcomed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (subscriber_id, kind)
);

-- What somebody asked for under an address, until its owner confirms it.
CREATE TABLE requests (
    email_key text NOT NULL,
    kind text NOT NULL,
    email text NOT NULL,
    -- The evidence: what was shown, where, and to whom.
    wording bytea NOT NULL,
    page text NOT NULL,
    way text NOT NULL,
    network text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (email_key, kind)
);
CREATE INDEX requests_at ON requests (at);

-- The links in requests to confirm, by the digest of their secrets.
CREATE TABLE confirmation_links (
    token_digest bytea PRIMARY KEY,
    email_key text NOT NULL,
    -- The address without what owners of mailboxes may add to it: their mails are counted together.
    mailbox text NOT NULL,
    -- The newsletters that the mail named.
    kinds text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX confirmation_links_mailboxes ON confirmation_links (mailbox, created_at);
CREATE INDEX confirmation_links_addresses ON confirmation_links (email_key);
CREATE INDEX confirmation_links_expiry ON confirmation_links (expires_at);

-- The key of the hashes of addresses below. It is made with the first start and never replaced: evidence must be found for
-- as long as it is kept, whatever becomes of the keys in the settings.
CREATE TABLE address_key (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    key bytea NOT NULL
);

-- Mailboxes whose owners do not want to be asked again, as keyed hashes.
CREATE TABLE refusals (
    mailbox bytea PRIMARY KEY,
    at timestamptz NOT NULL
);

-- Texts beside controls, by their SHA-256.
CREATE TABLE wordings (
    digest bytea PRIMARY KEY,
    text text NOT NULL
);

-- The ledger of consent. Entries are appended by the transactions of their acts, and linked soon after, in an order of
-- their own: each link's digest covers its entry and the digest before.
CREATE TABLE consents (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The address, as a keyed hash; NULL once the content was kept long enough.
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
