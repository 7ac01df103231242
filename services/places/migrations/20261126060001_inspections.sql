-- The city's register of food inspections, and the places that its establishments are.

-- Each import takes the next number, so that its own writes can be told from earlier ones.
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

-- Decisions of people: whether an establishment is a place.
CREATE TABLE match_decisions (
    establishment_id text NOT NULL,
    listing_id bigint NOT NULL REFERENCES listings (id),
    is_same boolean NOT NULL,
    PRIMARY KEY (establishment_id, listing_id)
);
CREATE INDEX match_decisions_of_listing ON match_decisions (listing_id);

-- The rows of the import under way; empty at its end. A crash may lose them, as it ends the import.
CREATE UNLOGGED TABLE inspection_rows (
    -- Their order in the input.
    number bigint PRIMARY KEY,
    position text NOT NULL,
    -- A digest of everything else: a repeated row is taken once.
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
    -- Why the row is refused, beside those before it.
    fault text
);
CREATE INDEX inspection_rows_of_inspection ON inspection_rows (establishment_id, inspection_id, number);
