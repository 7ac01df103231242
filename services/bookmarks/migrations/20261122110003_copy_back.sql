-- From here on this release may write: what it writes is copied for the previous one, so that a reader
-- whose requests reach both sees and removes the same favourites.
CREATE FUNCTION copy_bookmark_back() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM favourites WHERE id = OLD.id;
    ELSE
        INSERT INTO favourites (id, profile_id, listing_id, created_at)
        VALUES (NEW.id, NEW.profile_id, NEW.target_id, NEW.created_at)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_new_bookmark_back AFTER INSERT ON bookmarks
    FOR EACH ROW WHEN (NEW.kind = 'favourites' AND pg_trigger_depth() = 0)
    EXECUTE FUNCTION copy_bookmark_back();
CREATE TRIGGER copy_removed_bookmark_back AFTER DELETE ON bookmarks
    FOR EACH ROW WHEN (OLD.kind = 'favourites' AND pg_trigger_depth() = 0)
    EXECUTE FUNCTION copy_bookmark_back();

CREATE FUNCTION copy_target_back() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO listings AS l (id, name, is_available, version)
    VALUES (NEW.id, NEW.name, NEW.is_available, NEW.version)
    ON CONFLICT (id) DO UPDATE
    SET name = excluded.name, is_available = excluded.is_available, version = excluded.version
    WHERE excluded.version > l.version;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_target_back AFTER INSERT OR UPDATE ON targets
    FOR EACH ROW WHEN (NEW.kind = 'listing' AND pg_trigger_depth() = 0)
    EXECUTE FUNCTION copy_target_back();
