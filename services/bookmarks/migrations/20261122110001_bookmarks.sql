-- One table for everything that readers save, and one projection of the things that they save. The
-- previous release goes on writing `favourites`, `listings` and `items` until the roll-out is over, and
-- triggers copy in both directions meanwhile. The next release drops those three tables and the triggers.

-- Both releases draw ids from one sequence, so that an id is the same in both tables.
LOCK TABLE favourites IN ACCESS EXCLUSIVE MODE;
CREATE SEQUENCE bookmark_ids;
SELECT setval('bookmark_ids', coalesce((SELECT max(id) FROM favourites), 0) + 1, false);
ALTER TABLE favourites ALTER COLUMN id DROP IDENTITY;
ALTER TABLE favourites ALTER COLUMN id SET DEFAULT nextval('bookmark_ids');

-- The reader comes first in every key, so that the table can be spread over servers by reader.
CREATE TABLE bookmarks (
    profile_id bigint NOT NULL,
    id bigint NOT NULL DEFAULT nextval('bookmark_ids'),
    -- As stamps name it: "favourites", "todos", …
    kind text NOT NULL,
    target_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    -- To-dos only.
    is_done boolean,
    -- Event bookmarks only.
    add_to_calendar boolean,
    PRIMARY KEY (profile_id, id),
    UNIQUE (profile_id, kind, target_id)
);
ALTER SEQUENCE bookmark_ids OWNED BY bookmarks.id;
CREATE INDEX bookmarks_by_date ON bookmarks (profile_id, kind, created_at, id);

-- What is kept of places, articles, events, contests, videos and pages, from their events, so that lists
-- sort and search without asking their owners.
CREATE TABLE targets (
    -- "listing", "article", "event", "contest", "video", "page".
    kind text NOT NULL,
    id bigint NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    is_available boolean NOT NULL,
    date_published timestamptz,
    -- The owner's version that this was taken from; 0 where it was asked for, so that every event is newer.
    version bigint NOT NULL,
    PRIMARY KEY (kind, id)
);

CREATE FUNCTION copy_favourite() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM bookmarks WHERE profile_id = OLD.profile_id AND id = OLD.id;
    ELSE
        INSERT INTO bookmarks (profile_id, id, kind, target_id, created_at)
        VALUES (NEW.profile_id, NEW.id, 'favourites', NEW.listing_id, NEW.created_at)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_favourite AFTER INSERT OR DELETE ON favourites
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION copy_favourite();

CREATE FUNCTION copy_listing() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO targets AS t (kind, id, name, is_available, version)
    VALUES ('listing', NEW.id, NEW.name, NEW.is_available, NEW.version)
    ON CONFLICT (kind, id) DO UPDATE
    SET name = excluded.name, is_available = excluded.is_available, version = excluded.version
    WHERE excluded.version > t.version;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_listing AFTER INSERT OR UPDATE ON listings
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION copy_listing();

-- The previous release writes items and reads none, so they are copied in this direction alone.
CREATE FUNCTION copy_item() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO targets AS t (kind, id, name, is_available, date_published, version)
    VALUES (NEW.kind, NEW.id, NEW.name, NEW.is_available, NEW.date_published, NEW.version)
    ON CONFLICT (kind, id) DO UPDATE
    SET name = excluded.name, is_available = excluded.is_available,
        date_published = excluded.date_published, version = excluded.version
    WHERE excluded.version > t.version;
    RETURN NULL;
END $$;
CREATE TRIGGER copy_item AFTER INSERT OR UPDATE ON items
    FOR EACH ROW EXECUTE FUNCTION copy_item();

INSERT INTO targets (kind, id, name, is_available, version)
SELECT 'listing', id, name, is_available, version FROM listings ON CONFLICT DO NOTHING;
INSERT INTO targets (kind, id, name, is_available, date_published, version)
SELECT kind, id, name, is_available, date_published, version FROM items ON CONFLICT DO NOTHING;
