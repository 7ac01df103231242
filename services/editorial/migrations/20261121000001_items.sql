-- Everything that is published: articles, events, contests, videos and pages.
CREATE TABLE items (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('article', 'event', 'contest', 'video', 'page')),
    -- Articles stand below a section; empty for the others, which stand below their kind.
    section text NOT NULL,
    slug text NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    excerpt text NOT NULL,
    body_html text NOT NULL,
    image_url text,
    is_age_restricted boolean NOT NULL,
    published_at timestamptz NOT NULL,
    unpublished_at timestamptz,
    -- Whether it is shown now, and when that changes next; a job turns it at its time.
    is_live boolean NOT NULL,
    next_turn_at timestamptz,
    -- Arrays of {"slug", "name"}.
    authors jsonb NOT NULL,
    tags jsonb NOT NULL,
    -- Of events alone, for filters.
    category text,
    neighbourhood text,
    is_free boolean,
    -- What only its kind has.
    detail jsonb NOT NULL,
    -- Grows with every change; others keep the greatest they have heard of.
    version bigint NOT NULL DEFAULT 1,
    UNIQUE (kind, section, slug),
    CHECK ((kind = 'article') = (section <> '')),
    CHECK (unpublished_at > published_at)
);
-- One index for each way a list is walked.
CREATE INDEX items_by_date ON items (kind, published_at, id) WHERE is_live;
CREATE INDEX items_by_name ON items (kind, name, id) WHERE is_live;
CREATE INDEX items_of_section_by_date ON items (section, published_at, id) WHERE is_live AND section <> '';
CREATE INDEX items_of_section_by_name ON items (section, name, id) WHERE is_live AND section <> '';
CREATE INDEX items_due ON items (next_turn_at) WHERE next_turn_at IS NOT NULL;
CREATE INDEX items_by_author ON items USING gin (authors jsonb_path_ops);
CREATE INDEX items_by_tag ON items USING gin (tags jsonb_path_ops);

-- When events happen: all of one that happens once, those near of one that recurs.
CREATE TABLE occurrences (
    item_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (item_id, starts_at),
    CHECK (ends_at >= starts_at)
);

-- Former paths of pages, which lead to where they are now.
CREATE TABLE moved_paths (
    path text PRIMARY KEY,
    item_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE
);
CREATE INDEX moved_paths_of_item ON moved_paths (item_id);

-- How many items a list has, kept by whoever changes items; an empty section stands for "any".
CREATE TABLE item_counts (
    kind text NOT NULL,
    section text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (kind, section)
);
