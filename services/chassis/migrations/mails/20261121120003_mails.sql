-- Mail written in the transaction of what it tells of, until a server has taken it.
CREATE TABLE mails (
    id uuid PRIMARY KEY,
    -- What it is about, for operators: contact.
    kind text NOT NULL,
    recipient text NOT NULL,
    reply_name text,
    reply_address text,
    subject text NOT NULL,
    body text NOT NULL,
    traceparent text,
    created_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    -- A mail that no server will take is kept for an operator: since when, and in which words it was refused.
    refused_at timestamptz,
    refusal text,
    CHECK ((refused_at IS NULL) = (refusal IS NULL))
);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE refused_at IS NULL;
CREATE INDEX mails_refused ON mails (refused_at) WHERE refused_at IS NOT NULL;
