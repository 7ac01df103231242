-- The instant of the last complete backup of all services, for the metric of its age.
CREATE TABLE last_backup (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    at timestamptz NOT NULL
);
