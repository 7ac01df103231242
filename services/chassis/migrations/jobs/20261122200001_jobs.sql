-- Durable jobs, each written in the transaction of the change that asks for it, until it is done.
CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    -- What is to be done: mail. One worker runs the jobs of a kind.
    kind text NOT NULL,
    -- What it needs to know, in the shape of its kind.
    payload jsonb NOT NULL,
    traceparent text,
    created_at timestamptz NOT NULL,
    -- When it was first to run; its age counts from here.
    wanted_at timestamptz NOT NULL,
    -- When it may be taken: at first, after a pause, or once the lease of the process that holds it has ended.
    due_at timestamptz NOT NULL,
    -- The one under way included.
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    -- A dead job runs no more, and is kept for an operator.
    dead_at timestamptz
);
CREATE INDEX jobs_due ON jobs (kind, due_at, id) WHERE dead_at IS NULL;
CREATE INDEX jobs_wanted ON jobs (kind, wanted_at) WHERE dead_at IS NULL;
CREATE INDEX jobs_dead ON jobs (dead_at) WHERE dead_at IS NOT NULL;
