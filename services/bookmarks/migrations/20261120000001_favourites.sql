-- When each kind of a reader's things last changed, and how many stand: written in the transaction of
-- the change.
CREATE TABLE stamps (
    profile_id bigint NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    -- The stamp before this one, so that whoever made the change knows whether it missed another's.
    previous_at timestamptz,
    count bigint NOT NULL CHECK (count >= 0),
    PRIMARY KEY (profile_id, kind)
);

-- What is kept of places, from their events, so that lists sort and search without asking others.
CREATE TABLE listings (
    id bigint PRIMARY KEY,
    name text COLLATE "und-x-icu" NOT NULL,
    is_available boolean NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE favourites (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL,
    listing_id bigint NOT NULL REFERENCES listings (id),
    created_at timestamptz NOT NULL,
    UNIQUE (profile_id, listing_id)
);
CREATE INDEX favourites_by_date ON favourites (profile_id, created_at, id);
