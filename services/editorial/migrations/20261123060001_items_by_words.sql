-- Keyword searches. A word of one or two letters has no trigram: it is looked for in the order of the list. The index
-- holds items that are not shown too, because the planner takes no statistics from a partial one, and would not know
-- a rare word from a frequent one.
CREATE INDEX items_by_words ON items USING gin (folded(name) gin_trgm_ops);
