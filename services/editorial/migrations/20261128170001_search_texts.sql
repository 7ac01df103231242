-- The folded words of a name, to compare with a whole query: a search for an item's name returns that item first. NULL until
-- the document is indexed again.
ALTER TABLE search_documents ADD COLUMN name_key text;
CREATE INDEX search_documents_by_name ON search_documents USING hash (name_key);

-- Texts have many more words than names. Their frequencies decide how a query is answered.
ALTER TABLE search_documents ALTER COLUMN stems SET STATISTICS 500;

-- Documents without texts and keys are indexed again.
INSERT INTO search_due (kind, id)
SELECT 'item', id FROM items WHERE is_live
UNION ALL SELECT 'listing', id FROM search_documents WHERE kind = 'listing'
UNION ALL VALUES ('best_of_lists', 0::bigint)
ON CONFLICT (kind, id) DO UPDATE SET turn = excluded.turn;
