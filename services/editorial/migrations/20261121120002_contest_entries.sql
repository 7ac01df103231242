-- Who takes part in a contest. Personal: no answer to a reader holds any of it, and a job forgets it some
-- time after the contest has closed.
CREATE TABLE contest_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    contest_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    full_name text NOT NULL,
    email text NOT NULL,
    -- The form in which addresses are told apart.
    email_key text NOT NULL,
    answer text NOT NULL,
    entered_at timestamptz NOT NULL,
    UNIQUE (contest_id, email_key)
);
