-- One vote of each reader on each place.
CREATE TABLE ratings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL,
    listing_id bigint NOT NULL REFERENCES listings (id),
    rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    date_created timestamptz NOT NULL,
    UNIQUE (profile_id, listing_id)
);
CREATE INDEX ratings_of_listing ON ratings (listing_id);
