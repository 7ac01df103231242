-- Copying between this release's tables and the previous one's costs each write less:
-- * PostgreSQL reads a trigger's WHEN anew for each statement, so the functions ask what it asked.
-- * With the schema in its names, a function needs no search path of its own, which would be set and reset at
--   each call.
-- * Each insert of either release checks that the place exists, so the old table needs no foreign key, whose
--   check locks the place's row.
DROP TRIGGER copy_favourite ON favourites;
DROP TRIGGER copy_new_bookmark_back ON bookmarks;
DROP TRIGGER copy_removed_bookmark_back ON bookmarks;
ALTER TABLE favourites DROP CONSTRAINT favourites_listing_id_fkey;

-- A copy must not be copied back: a trigger's depth is 1 where a service has written, and 2 for a copy.
DO $$
BEGIN
    EXECUTE format($create$
        CREATE OR REPLACE FUNCTION copy_favourite() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            IF pg_trigger_depth() > 1 THEN
                RETURN NULL;
            END IF;
            IF TG_OP = 'DELETE' THEN
                DELETE FROM %1$I.bookmarks WHERE profile_id = OLD.profile_id AND id = OLD.id;
            ELSE
                INSERT INTO %1$I.bookmarks (profile_id, id, kind, target_id, created_at)
                VALUES (NEW.profile_id, NEW.id, 'favourites', NEW.listing_id, NEW.created_at)
                ON CONFLICT DO NOTHING;
            END IF;
            RETURN NULL;
        END $body$;

        CREATE OR REPLACE FUNCTION copy_bookmark_back() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            IF pg_trigger_depth() > 1 THEN
                RETURN NULL;
            END IF;
            IF TG_OP = 'DELETE' THEN
                IF OLD.kind = 'favourites' THEN
                    DELETE FROM %1$I.favourites WHERE id = OLD.id;
                END IF;
            ELSIF NEW.kind = 'favourites' THEN
                INSERT INTO %1$I.favourites (id, profile_id, listing_id, created_at)
                VALUES (NEW.id, NEW.profile_id, NEW.target_id, NEW.created_at)
                ON CONFLICT DO NOTHING;
            END IF;
            RETURN NULL;
        END $body$;
    $create$, current_schema());
END $$;

CREATE TRIGGER copy_favourite AFTER INSERT OR DELETE ON favourites
    FOR EACH ROW EXECUTE FUNCTION copy_favourite();
CREATE TRIGGER copy_bookmark_back AFTER INSERT OR DELETE ON bookmarks
    FOR EACH ROW EXECUTE FUNCTION copy_bookmark_back();
