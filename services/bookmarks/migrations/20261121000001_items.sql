-- What is kept of articles, events, contests, videos and pages, from their events, as of places.
CREATE TABLE items (
    id bigint PRIMARY KEY,
    -- "article", "event", "contest", "video", "page".
    kind text NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    is_available boolean NOT NULL,
    date_published timestamptz,
    version bigint NOT NULL
);
