-- The search's index: a document for each thing that can be found.
CREATE TABLE search_documents (
    kind text NOT NULL CHECK (kind IN ('listing', 'best_of_list', 'article', 'event', 'video')),
    id bigint NOT NULL,
    name text NOT NULL,
    path text NOT NULL,
    -- The names of its type, neighbourhood, tags, authors, venue …
    labels text NOT NULL,
    -- Plain text to quote from; empty if it is age-restricted.
    passage text NOT NULL,
    -- Slugs, for filters.
    type text,
    neighbourhood text,
    is_closed boolean NOT NULL,
    is_free boolean NOT NULL,
    latitude double precision,
    longitude double precision,
    published_at timestamptz NOT NULL,
    -- From 0 to 1: what readers and editors think of it.
    quality real NOT NULL,
    -- Stems: of the name (A), labels (B), excerpt or address (C) and text (D).
    stems tsvector NOT NULL,
    -- The words of name (A) and labels (B) as they are written, for suggestions and corrections.
    words tsvector NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX search_documents_by_stem ON search_documents USING gin (stems);
CREATE INDEX search_documents_by_word ON search_documents USING gin (words);
CREATE INDEX search_documents_by_quality ON search_documents (kind, quality DESC, id);

-- The words of names and labels, and how many documents have each: what queries are corrected with.
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

-- What has changed since it was indexed: a place, an item of this service, or, with the id 0, all best-of lists or the
-- names of areas. `turn` tells a later change from the one that is being indexed.
CREATE SEQUENCE search_turns;
CREATE TABLE search_due (
    kind text NOT NULL CHECK (kind IN ('listing', 'item', 'best_of_lists', 'areas')),
    id bigint NOT NULL,
    turn bigint NOT NULL DEFAULT nextval('search_turns'),
    PRIMARY KEY (kind, id)
);
CREATE INDEX search_due_by_turn ON search_due (turn);

-- Grows whenever words or names change, so that processes read them again.
CREATE TABLE search_revision (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    revision bigint NOT NULL
);
INSERT INTO search_revision (revision) VALUES (1);

-- What the release before has published is indexed from the beginning; places are asked for by an event.
INSERT INTO search_due (kind, id) SELECT 'item', id FROM items WHERE is_live;
INSERT INTO search_due (kind, id) VALUES ('best_of_lists', 0), ('areas', 0);
INSERT INTO outbox (id, exchange, key, payload, created_at, next_attempt_at)
VALUES (gen_random_uuid(), 'retell', 'catalog', ''::bytea, now(), now() + interval '10 seconds');
