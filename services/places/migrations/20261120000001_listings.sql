CREATE TABLE listing_types (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    -- One of them: "Restaurant".
    name_singular text NOT NULL,
    -- Whether its places are inspected as food establishments.
    is_food boolean NOT NULL
);

CREATE TABLE neighbourhoods (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Stable across imports, with the source in front.
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
    -- Grows with every change; others keep the greatest they have heard of.
    version bigint NOT NULL DEFAULT 1,
    UNIQUE (type_id, slug),
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    CHECK ((sub_type_slug IS NULL) = (sub_type_name IS NULL)),
    CHECK (num_nulls(review_html, review_author, review_date) IN (0, 3))
);
-- One index for each way a list is walked.
CREATE INDEX listings_by_date ON listings (date_published, id);
CREATE INDEX listings_by_name ON listings (name, id);
CREATE INDEX listings_by_review ON listings (review_date, id) WHERE review_date IS NOT NULL;
CREATE INDEX listings_of_type_by_date ON listings (type_id, date_published, id);
CREATE INDEX listings_of_type_by_name ON listings (type_id, name, id);
CREATE INDEX listings_of_neighbourhood_by_date ON listings (neighbourhood_id, date_published, id);
CREATE INDEX listings_of_neighbourhood_by_name ON listings (neighbourhood_id, name, id);

-- How many places a list has, kept by whoever changes places; 0 stands for "any".
CREATE TABLE listing_counts (
    type_id bigint NOT NULL,
    neighbourhood_id bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (type_id, neighbourhood_id)
);
