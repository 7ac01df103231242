-- Keyword searches. A word of one or two letters has no trigram: it is looked for in the reader's list.
CREATE INDEX targets_by_words ON targets USING gin (folded(name) gin_trgm_ops);
