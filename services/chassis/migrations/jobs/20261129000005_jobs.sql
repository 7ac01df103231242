-- Durable jobs, written in the transaction of the change that requires them and deleted once they are done.
CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    -- For example "mail". One worker runs the jobs of a kind.
    kind text NOT NULL,
    -- The job's parameters, in the form of its kind.
    payload jsonb NOT NULL,
    traceparent text,
    created_at timestamptz NOT NULL,
    -- When the job was first due; its age counts from here.
    wanted_at timestamptz NOT NULL,
    -- When a worker may take the job: initially, after a pause, or at the end of the lease of the process that has it.
    due_at timestamptz NOT NULL,
    -- Including the current attempt.
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    -- A dead job does not run again; it is kept for an operator.
    dead_at timestamptz
);
CREATE INDEX jobs_due ON jobs (kind, due_at, id) WHERE dead_at IS NULL;
CREATE INDEX jobs_wanted ON jobs (kind, wanted_at) WHERE dead_at IS NULL;
CREATE INDEX jobs_dead ON jobs (dead_at) WHERE dead_at IS NOT NULL;
