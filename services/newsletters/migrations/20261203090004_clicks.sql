-- How often the links of an issue were followed, of all its readers together.
CREATE TABLE clicks (
    issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    -- The number of its thing in the issue, from 1.
    number integer NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (issue_id, number)
);
