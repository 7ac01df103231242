-- Keyword searches. A word of one or two letters has no trigram: it is looked for in the order of the list.
CREATE INDEX listings_by_words ON listings USING gin (folded(name) gin_trgm_ops);
