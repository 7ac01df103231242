-- The magazine's ranked choices.
CREATE TABLE best_of_lists (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Stable across imports, with the source in front.
    source_id text NOT NULL UNIQUE,
    slug text NOT NULL UNIQUE,
    name text COLLATE "und-x-icu" NOT NULL,
    -- Sanitised.
    intro_html text NOT NULL,
    image_url text,
    date_published timestamptz NOT NULL,
    -- One that is withdrawn keeps its id and slug, and is shown nowhere.
    is_withdrawn boolean NOT NULL
);
CREATE INDEX best_of_lists_by_date ON best_of_lists (date_published, id) WHERE NOT is_withdrawn;
CREATE INDEX best_of_lists_by_name ON best_of_lists (name, id) WHERE NOT is_withdrawn;

CREATE TABLE best_of_entries (
    list_id bigint NOT NULL REFERENCES best_of_lists (id),
    -- From 1, the best first.
    rank integer NOT NULL CHECK (rank > 0),
    listing_id bigint NOT NULL REFERENCES listings (id),
    -- Why it stands there; sanitised, may be empty.
    text_html text NOT NULL,
    PRIMARY KEY (list_id, rank),
    UNIQUE (listing_id, list_id)
);
