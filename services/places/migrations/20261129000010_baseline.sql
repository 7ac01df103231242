CREATE TABLE listing_types (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    -- "Restaurant".
    name_singular text NOT NULL,
    -- Whether its places are inspected as food establishments.
    is_food boolean NOT NULL,
    -- Of places of a type for adults (cannabis shops), only the bare facts are public.
    is_age_restricted boolean NOT NULL DEFAULT false
);

CREATE TABLE neighbourhoods (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Stable across imports, prefixed with the source.
    source_id text NOT NULL UNIQUE,
    slug text NOT NULL UNIQUE,
    name text COLLATE "und-x-icu" NOT NULL,
    -- A GeoJSON Polygon or MultiPolygon.
    boundary jsonb NOT NULL
);

CREATE TABLE listings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id text NOT NULL UNIQUE,
    type_id bigint NOT NULL REFERENCES listing_types (id),
    slug text NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    sub_type_slug text,
    sub_type_name text,
    neighbourhood_id bigint REFERENCES neighbourhoods (id),
    address text,
    phone text,
    website text,
    is_closed boolean NOT NULL,
    image_url text,
    latitude double precision,
    longitude double precision,
    dinesafe_establishment_id text,
    date_published timestamptz NOT NULL,
    review_html text,
    review_author text,
    review_date date,
    -- Increases with every change; other services keep the greatest version they have received.
    version bigint NOT NULL DEFAULT 1,
    -- OpenStreetMap's `opening_hours`, validated when it is written.
    opening_hours text,
    -- The position as a point of the unit sphere: the straight line between two points grows with their distance on the
    -- ground, and an index finds the nearest (contrib/cube).
    location cube GENERATED ALWAYS AS (
        CASE WHEN latitude IS NOT NULL THEN cube(ARRAY[
            cos(radians(latitude)) * cos(radians(longitude)),
            cos(radians(latitude)) * sin(radians(longitude)),
            sin(radians(latitude))
        ]) END
    ) STORED,
    -- The sum and count of readers' votes of 1 to 5, copied from listing_votes.
    rating_sum bigint NOT NULL DEFAULT 0,
    rating_count bigint NOT NULL DEFAULT 0,
    -- The value that "rating" orders by: the mean with ten additional votes of 3, so that one vote of 5 does not rank above
    -- a hundred votes of 4 and 5.
    rating_rank double precision NOT NULL GENERATED ALWAYS AS (
        (rating_sum + 30)::double precision / (rating_count + 10)::double precision
    ) STORED,
    -- When a publisher last changed the content, for search engines; NULL if it has not changed since its creation. Votes do
    -- not count.
    changed_at timestamptz,
    -- Whether a wheelchair can enter, according to OpenStreetMap; NULL if unknown.
    wheelchair text CHECK (wheelchair IN ('yes', 'limited', 'no')),
    UNIQUE (type_id, slug),
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    CHECK ((sub_type_slug IS NULL) = (sub_type_name IS NULL)),
    CHECK (num_nulls(review_html, review_author, review_date) IN (0, 3)),
    CONSTRAINT listings_votes CHECK (
        rating_count >= 0 AND rating_sum BETWEEN rating_count AND 5 * rating_count
    )
);
-- One index for each order in which a list is read.
CREATE INDEX listings_by_date ON listings (date_published, id);
CREATE INDEX listings_by_name ON listings (name, id);
CREATE INDEX listings_by_review ON listings (review_date, id) WHERE review_date IS NOT NULL;
CREATE INDEX listings_by_rating ON listings (rating_rank, id);
CREATE INDEX listings_by_location ON listings USING gist (location);
CREATE INDEX listings_of_type_by_date ON listings (type_id, date_published, id);
CREATE INDEX listings_of_type_by_name ON listings (type_id, name, id);
CREATE INDEX listings_of_type_by_rating ON listings (type_id, rating_rank, id);
CREATE INDEX listings_of_neighbourhood_by_date ON listings (neighbourhood_id, date_published, id);
CREATE INDEX listings_of_neighbourhood_by_name ON listings (neighbourhood_id, name, id);
CREATE INDEX listings_of_neighbourhood_by_rating ON listings (neighbourhood_id, rating_rank, id);
CREATE INDEX listings_of_sub_type_by_date ON listings (sub_type_slug, date_published, id)
    WHERE sub_type_slug IS NOT NULL;
CREATE INDEX listings_of_type_and_neighbourhood_by_date
    ON listings (type_id, neighbourhood_id, date_published, id);
CREATE INDEX listings_closed_by_date ON listings (date_published, id) WHERE is_closed;
-- For keyword searches. A word of one or two letters has no trigram, so it is searched for in the order of the list.
CREATE INDEX listings_by_words ON listings USING gin (folded(name) gin_trgm_ops);

-- The number of places in each list, updated by every change of places; 0 means "any".
CREATE TABLE listing_counts (
    type_id bigint NOT NULL,
    neighbourhood_id bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (type_id, neighbourhood_id)
);

-- When places are open, by their opening hours and the wall clock. Places with the same hours share a row. Hours without a
-- row, or whose row does not cover an instant, are evaluated by the service for each list until the job has computed them.
CREATE TABLE open_periods (
    -- As in listings.
    opening_hours text PRIMARY KEY,
    -- The time for which the periods are computed.
    covers tsrange NOT NULL,
    periods tsmultirange NOT NULL
);

-- The magazine's ranked choices.
CREATE TABLE best_of_lists (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Stable across imports, prefixed with the source.
    source_id text NOT NULL UNIQUE,
    slug text NOT NULL UNIQUE,
    name text COLLATE "und-x-icu" NOT NULL,
    -- Sanitised.
    intro_html text NOT NULL,
    image_url text,
    date_published timestamptz NOT NULL,
    -- A withdrawn list keeps its id and slug, and is not shown.
    is_withdrawn boolean NOT NULL
);
CREATE INDEX best_of_lists_by_date ON best_of_lists (date_published, id) WHERE NOT is_withdrawn;
CREATE INDEX best_of_lists_by_name ON best_of_lists (name, id) WHERE NOT is_withdrawn;

CREATE TABLE best_of_entries (
    list_id bigint NOT NULL REFERENCES best_of_lists (id),
    -- From 1, the best first.
    rank integer NOT NULL CHECK (rank > 0),
    listing_id bigint NOT NULL REFERENCES listings (id),
    -- Why the place is in the list; sanitised, may be empty.
    text_html text NOT NULL,
    PRIMARY KEY (list_id, rank),
    UNIQUE (listing_id, list_id)
);

-- Bursts: votes on one place from one source, beyond those that count immediately.
CREATE TABLE vote_bursts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    listing_id bigint NOT NULL REFERENCES listings (id),
    -- "network" or "account-hour".
    kind text NOT NULL,
    -- The network ("203.0.113.0/24"), or the hour in which the accounts were created.
    source text NOT NULL,
    begun_at timestamptz NOT NULL,
    -- Whether its votes count; NULL while they wait.
    is_accepted boolean
);
CREATE INDEX vote_bursts_of_source ON vote_bursts (listing_id, kind, source, begun_at);
CREATE INDEX vote_bursts_to_decide ON vote_bursts (begun_at, id) WHERE is_accepted IS NULL;
CREATE INDEX vote_bursts_by_date ON vote_bursts (begun_at);

-- One vote of each reader on each place. The reader comes first in every unique key, so that the table can be distributed
-- over servers by reader.
CREATE TABLE ratings (
    id bigint GENERATED ALWAYS AS IDENTITY,
    profile_id bigint NOT NULL,
    listing_id bigint NOT NULL REFERENCES listings (id),
    rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    date_created timestamptz NOT NULL,
    -- False while the vote waits with its burst, and after it is refused.
    is_counted boolean NOT NULL DEFAULT true,
    -- The vote's source; NULL once it is not needed to recognise a burst.
    network text,
    account_hour text,
    burst_id bigint REFERENCES vote_bursts (id) ON DELETE SET NULL,
    PRIMARY KEY (profile_id, id),
    UNIQUE (profile_id, listing_id)
);
CREATE INDEX ratings_by_date ON ratings (profile_id, date_created, id);
CREATE INDEX ratings_of_listing_by_network ON ratings (listing_id, network, date_created) WHERE network IS NOT NULL;
CREATE INDEX ratings_of_listing_by_account_hour ON ratings (listing_id, account_hour, date_created)
    WHERE account_hour IS NOT NULL;
CREATE INDEX ratings_of_burst ON ratings (burst_id) WHERE burst_id IS NOT NULL;
CREATE INDEX ratings_with_source ON ratings (date_created) WHERE network IS NOT NULL OR account_hour IS NOT NULL;

-- The sum and count of the votes on a place. They are separate from listings so that a vote waits for other votes on its
-- place, but not for an import that changes the place. A place without votes has no row.
CREATE TABLE listing_votes (
    listing_id bigint PRIMARY KEY REFERENCES listings (id),
    sum bigint NOT NULL DEFAULT 0,
    count bigint NOT NULL DEFAULT 0,
    -- Whether listings, by which lists are ordered, has the same sum and count.
    is_ranked boolean NOT NULL DEFAULT false,
    CHECK (count >= 0 AND sum BETWEEN count AND 5 * count)
);
CREATE INDEX listing_votes_to_rank ON listing_votes (listing_id) WHERE NOT is_ranked;

-- The city's register of food inspections, and the matches between its establishments and places.

-- Each import takes the next number, which distinguishes its writes from earlier ones.
CREATE SEQUENCE inspection_imports;

CREATE TABLE establishments (
    -- As in the register.
    id text PRIMARY KEY,
    name text NOT NULL,
    kind text NOT NULL,
    address text NOT NULL,
    latitude double precision,
    longitude double precision,
    -- The date of the inspection that these facts come from: an older file does not replace them.
    facts_of date NOT NULL,
    listing_id bigint REFERENCES listings (id),
    -- The last imports that changed the facts, and the link to a place.
    written_in bigint NOT NULL,
    linked_in bigint,
    CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE INDEX establishments_of_listing ON establishments (listing_id) WHERE listing_id IS NOT NULL;

CREATE TABLE inspections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    establishment_id text NOT NULL REFERENCES establishments (id),
    -- As in the register.
    source_id text NOT NULL,
    date date NOT NULL,
    -- In the register's words: "Pass".
    outcome text NOT NULL,
    -- Objects with details, severity, action, court_outcome and fine_cents, the most severe first.
    infractions jsonb NOT NULL,
    created_in bigint NOT NULL,
    written_in bigint NOT NULL,
    UNIQUE (establishment_id, source_id)
);
CREATE INDEX inspections_by_date ON inspections (establishment_id, date, id);

-- People's decisions whether an establishment and a place are the same.
CREATE TABLE match_decisions (
    establishment_id text NOT NULL,
    listing_id bigint NOT NULL REFERENCES listings (id),
    is_same boolean NOT NULL,
    PRIMARY KEY (establishment_id, listing_id)
);
CREATE INDEX match_decisions_of_listing ON match_decisions (listing_id);

-- The rows of the current import; empty at its end. A crash may lose them, because it also ends the import.
CREATE UNLOGGED TABLE inspection_rows (
    -- The order of the input.
    number bigint PRIMARY KEY,
    position text NOT NULL,
    -- A digest of all other columns, so that a repeated row is stored once.
    digest text NOT NULL UNIQUE,
    establishment_id text NOT NULL,
    inspection_id text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    address text NOT NULL,
    latitude double precision,
    longitude double precision,
    outcome text NOT NULL,
    date date NOT NULL,
    details text NOT NULL,
    severity smallint NOT NULL,
    action text NOT NULL,
    court_outcome text NOT NULL,
    fine_cents bigint,
    -- Why the row is refused in the context of the rows before it.
    fault text
);
CREATE INDEX inspection_rows_of_inspection ON inspection_rows (establishment_id, inspection_id, number);
