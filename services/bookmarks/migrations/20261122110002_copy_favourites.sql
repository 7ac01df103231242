-- no-transaction
-- Copies the favourites that stood before the triggers, in batches that commit one by one. The row locks
-- let a reader who removes a favourite at this moment wait for its batch: otherwise the copy could bring
-- it back.
DO $$
DECLARE
    after bigint := 0;
    last bigint;
BEGIN
    LOOP
        WITH batch AS (
            SELECT id, profile_id, listing_id, created_at FROM favourites
            WHERE id > after ORDER BY id LIMIT 10000 FOR KEY SHARE
        ), copied AS (
            INSERT INTO bookmarks (profile_id, id, kind, target_id, created_at)
            SELECT profile_id, id, 'favourites', listing_id, created_at FROM batch
            ON CONFLICT DO NOTHING
        )
        SELECT max(id) INTO last FROM batch;
        COMMIT;
        EXIT WHEN last IS NULL;
        after := last;
    END LOOP;
END $$;
