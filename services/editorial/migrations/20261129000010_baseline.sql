-- Articles, events, contests, videos and pages.
CREATE TABLE items (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('article', 'event', 'contest', 'video', 'page')),
    -- The section of an article; empty for other kinds, whose address begins with the kind.
    section text NOT NULL,
    slug text NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    excerpt text NOT NULL,
    body_html text NOT NULL,
    image_url text,
    is_age_restricted boolean NOT NULL,
    published_at timestamptz NOT NULL,
    unpublished_at timestamptz,
    -- Whether it is shown now, and when that next changes; a job changes it at that time.
    is_live boolean NOT NULL,
    next_turn_at timestamptz,
    -- Arrays of {"slug", "name"}.
    authors jsonb NOT NULL,
    tags jsonb NOT NULL,
    -- Only for events, for filters.
    category text,
    neighbourhood text,
    is_free boolean,
    -- The fields that only its kind has.
    detail jsonb NOT NULL,
    -- Increases with every change; other services keep the greatest version they have received.
    version bigint NOT NULL DEFAULT 1,
    -- When a publisher last changed the content, for search engines; NULL if it has not changed since its creation.
    changed_at timestamptz,
    -- A draft is not shown, regardless of its dates.
    is_draft boolean NOT NULL DEFAULT false,
    -- Equal for events with the same name and start, which may be the same event from two sources; NULL for other kinds and
    -- for names without letters and digits.
    twin_key text,
    -- When and by whom an imported draft was published. Later imports leave it published.
    released_at timestamptz,
    released_by text,
    -- When an editor withdrew a draft. Later imports do not publish it.
    withdrawn_at timestamptz,
    UNIQUE (kind, section, slug),
    CHECK ((kind = 'article') = (section <> '')),
    CHECK (unpublished_at > published_at),
    CHECK (released_at IS NULL OR NOT is_draft)
);
-- One index for each order in which a list is read.
CREATE INDEX items_by_date ON items (kind, published_at, id) WHERE is_live;
CREATE INDEX items_by_name ON items (kind, name, id) WHERE is_live;
CREATE INDEX items_of_section_by_date ON items (section, published_at, id) WHERE is_live AND section <> '';
CREATE INDEX items_of_section_by_name ON items (section, name, id) WHERE is_live AND section <> '';
CREATE INDEX items_due ON items (next_turn_at) WHERE next_turn_at IS NOT NULL;
CREATE INDEX items_by_author ON items USING gin (authors jsonb_path_ops);
CREATE INDEX items_by_tag ON items USING gin (tags jsonb_path_ops);
CREATE INDEX items_by_twin_key ON items (twin_key) WHERE twin_key IS NOT NULL;
CREATE INDEX items_drafts ON items (id) WHERE is_draft;
-- For keyword searches. A word of one or two letters has no trigram, so it is searched for in the order of the list. The
-- index includes items that are not shown, because the planner takes no statistics from a partial index and could not
-- distinguish rare words from frequent ones.
CREATE INDEX items_by_words ON items USING gin (folded(name) gin_trgm_ops);

-- When events happen: all occurrences of an event without a rule of recurrence, and the near ones of a recurring event.
CREATE TABLE occurrences (
    item_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (item_id, starts_at),
    CHECK (ends_at >= starts_at)
);

-- Occurrences of recurring events that were cancelled or that another item replaces. They may be stored before their event.
CREATE TABLE replaced_occurrences (
    -- The source id of the recurring event.
    series text NOT NULL,
    -- By the clock of the zone.
    starts timestamp NOT NULL,
    zone text NOT NULL,
    PRIMARY KEY (series, starts, zone)
);

-- Source ids whose event is another source's item.
CREATE TABLE twins (
    source_id text PRIMARY KEY,
    item_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE
);
CREATE INDEX twins_of_item ON twins (item_id);

-- Former paths of pages, which redirect to the current ones.
CREATE TABLE moved_paths (
    path text PRIMARY KEY,
    item_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE
);
CREATE INDEX moved_paths_of_item ON moved_paths (item_id);

-- The number of items in each list, updated by every change of items; an empty section means "any".
CREATE TABLE item_counts (
    kind text NOT NULL,
    section text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (kind, section)
);

-- Participants in contests. The data is personal: no answer to a reader contains it, and a job deletes it some time after
-- the contest has closed.
CREATE TABLE contest_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    contest_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    full_name text NOT NULL,
    email text NOT NULL,
    -- The form in which addresses are compared.
    email_key text NOT NULL,
    answer text NOT NULL,
    entered_at timestamptz NOT NULL,
    UNIQUE (contest_id, email_key)
);
-- A reader's entries, for exports and erasures.
CREATE INDEX contest_entries_by_address ON contest_entries (email_key, id);

-- The search index: a document for each thing that can be found.
CREATE TABLE search_documents (
    kind text NOT NULL CHECK (kind IN ('listing', 'best_of_list', 'article', 'event', 'video')),
    id bigint NOT NULL,
    name text NOT NULL,
    path text NOT NULL,
    -- The names of its type, neighbourhood, tags, authors, venue …
    labels text NOT NULL,
    -- Plain text for quotations; empty if it is age-restricted.
    passage text NOT NULL,
    -- Slugs, for filters.
    type text,
    neighbourhood text,
    is_closed boolean NOT NULL,
    is_free boolean NOT NULL,
    latitude double precision,
    longitude double precision,
    published_at timestamptz NOT NULL,
    -- From 0 to 1: the opinion of readers and editors.
    quality real NOT NULL,
    -- Stems: of the name (A), labels (B), excerpt or address (C) and text (D).
    stems tsvector NOT NULL,
    -- The words of the name (A) and labels (B) as they are written, for suggestions and corrections.
    words tsvector NOT NULL,
    -- The folded words of the name, which are compared with a whole query: a search for an item's name returns that item
    -- first.
    name_key text,
    PRIMARY KEY (kind, id)
);
-- Texts have many more words than names. Word frequencies decide how a query is answered.
ALTER TABLE search_documents ALTER COLUMN stems SET STATISTICS 500;
CREATE INDEX search_documents_by_stem ON search_documents USING gin (stems);
CREATE INDEX search_documents_by_quality ON search_documents (kind, quality DESC, id);
CREATE INDEX search_documents_by_name ON search_documents USING hash (name_key);

-- The words of names and labels with the number of documents that have them, for correcting queries.
CREATE TABLE search_words (
    word text PRIMARY KEY,
    documents bigint NOT NULL CHECK (documents >= 0)
);

-- Types, neighbourhoods and authors, which queries may name.
CREATE TABLE search_names (
    field text NOT NULL CHECK (field IN ('type', 'neighbourhood', 'author')),
    slug text NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (field, slug, name)
);

-- Changes that are not indexed yet: of a place, of an item of this service or, with the id 0, of all best-of lists or of the
-- names of areas. `turn` distinguishes a later change from the change that is being indexed.
CREATE SEQUENCE search_turns;
CREATE TABLE search_due (
    kind text NOT NULL CHECK (kind IN ('listing', 'item', 'best_of_lists', 'areas')),
    id bigint NOT NULL,
    turn bigint NOT NULL DEFAULT nextval('search_turns'),
    PRIMARY KEY (kind, id)
);
CREATE INDEX search_due_by_turn ON search_due (turn);
INSERT INTO search_due (kind, id) VALUES ('best_of_lists', 0), ('areas', 0);

-- Increases with every change of words or names, so that processes read them again.
CREATE TABLE search_revision (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    revision bigint NOT NULL
);
INSERT INTO search_revision (revision) VALUES (1);

-- The documents that each revision of the search index changed. Processes keep the names of all documents in memory for
-- suggestions, and read only the changed ones. Only the last few thousand revisions are kept: a process that is further
-- behind reads everything.
CREATE TABLE search_changes (
    revision bigint NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (revision, kind, id)
);

-- Searches without results, counted without readers: a query is stored only after readers of several networks have searched
-- for it in one week. Until then there are only digests, by a key that is deleted with its week.
CREATE TABLE search_miss_weeks (
    -- The week's Monday.
    week date PRIMARY KEY,
    key bytea NOT NULL
);
CREATE TABLE search_misses (
    week date NOT NULL,
    digest bytea NOT NULL,
    -- The words, once enough networks have searched for them.
    query text,
    networks bigint NOT NULL,
    PRIMARY KEY (week, digest)
);
CREATE TABLE search_miss_networks (
    week date NOT NULL,
    digest bytea NOT NULL,
    network bytea NOT NULL,
    PRIMARY KEY (week, digest, network)
);

-- The state of external feeds and calendars that are polled on a schedule. The site's file defines them.
CREATE TABLE sources (
    name text PRIMARY KEY,
    -- A digest of the settings of the last poll.
    config text NOT NULL DEFAULT '',
    first_seen_at timestamptz NOT NULL,
    next_poll_at timestamptz NOT NULL,
    -- The turn of the process that polls it.
    lease uuid,
    leased_until timestamptz,
    polled_at timestamptz,
    succeeded_at timestamptz,
    result text CHECK (result IN ('imported', 'unchanged', 'failed')),
    reason text NOT NULL DEFAULT '',
    -- Failed polls since the last successful one.
    failures integer NOT NULL DEFAULT 0,
    -- Of the last answer that was imported.
    etag text NOT NULL DEFAULT '',
    last_modified text NOT NULL DEFAULT '',
    digest text NOT NULL DEFAULT '',
    created integer NOT NULL DEFAULT 0,
    changed integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0
);
