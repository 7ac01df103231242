-- Everything that readers save. The reader comes first in every key, so that the table can be distributed over servers by
-- reader.
CREATE SEQUENCE bookmark_ids;
CREATE TABLE bookmarks (
    profile_id bigint NOT NULL,
    id bigint NOT NULL DEFAULT nextval('bookmark_ids'),
    -- As in `stamps`: "favourites", "todos", …
    kind text NOT NULL,
    target_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    -- Only for to-dos.
    is_done boolean,
    -- Only for bookmarks of events.
    add_to_calendar boolean,
    PRIMARY KEY (profile_id, id),
    UNIQUE (profile_id, kind, target_id)
);
ALTER SEQUENCE bookmark_ids OWNED BY bookmarks.id;
CREATE INDEX bookmarks_by_date ON bookmarks (profile_id, kind, created_at, id);
-- Completed and open to-dos are listed and counted separately.
CREATE INDEX todos_by_state ON bookmarks (profile_id, is_done, created_at, id) WHERE is_done IS NOT NULL;

-- The projection of places, articles, events, contests, videos and pages, from their events, so that lists are sorted and
-- searched without calls to other services.
CREATE TABLE targets (
    -- "listing", "article", "event", "contest", "video", "page".
    kind text NOT NULL,
    id bigint NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    is_available boolean NOT NULL,
    date_published timestamptz,
    -- The owner's version of the target; 0 if the target was fetched from its owner, so that every event is newer.
    version bigint NOT NULL,
    PRIMARY KEY (kind, id)
);
-- For keyword searches. A word of one or two letters has no trigram, so it is searched for in the reader's list.
CREATE INDEX targets_by_words ON targets USING gin (folded(name) gin_trgm_ops);
