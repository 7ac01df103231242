-- Which documents each change of the search's index has touched, so that processes, which hold the names of all documents
-- for suggestions, read no more than those. Changes that are older than the last few thousand are deleted: a process that
-- is so far behind reads everything.
CREATE TABLE search_changes (
    revision bigint NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (revision, kind, id)
);

-- Only suggestions looked documents up by the words of their names.
DROP INDEX search_documents_by_word;
