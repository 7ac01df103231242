-- Positions as points of the unit sphere: the straight line between two of them grows with their distance
-- on the ground, and an index finds the nearest (contrib/cube; a trusted extension).
CREATE EXTENSION IF NOT EXISTS cube;
ALTER TABLE listings ADD COLUMN location cube GENERATED ALWAYS AS (
    CASE WHEN latitude IS NOT NULL THEN cube(ARRAY[
        cos(radians(latitude)) * cos(radians(longitude)),
        cos(radians(latitude)) * sin(radians(longitude)),
        sin(radians(latitude))
    ]) END
) STORED;
CREATE INDEX listings_by_location ON listings USING gist (location);

-- Readers' votes of 1 to 5, kept as sum and count by whoever changes one.
ALTER TABLE listings
    ADD COLUMN rating_sum bigint NOT NULL DEFAULT 0,
    ADD COLUMN rating_count bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT listings_votes CHECK (
        rating_count >= 0 AND rating_sum BETWEEN rating_count AND 5 * rating_count
    );
-- What "rating" orders by: the mean as it would be with ten votes of 3 more, so that one vote of 5 does
-- not stand above a hundred of 4 and 5.
ALTER TABLE listings ADD COLUMN rating_rank double precision NOT NULL GENERATED ALWAYS AS (
    (rating_sum + 30)::double precision / (rating_count + 10)::double precision
) STORED;
CREATE INDEX listings_by_rating ON listings (rating_rank, id);
CREATE INDEX listings_of_type_by_rating ON listings (type_id, rating_rank, id);
CREATE INDEX listings_of_neighbourhood_by_rating ON listings (neighbourhood_id, rating_rank, id);

CREATE INDEX listings_of_sub_type_by_date ON listings (sub_type_slug, date_published, id)
    WHERE sub_type_slug IS NOT NULL;
CREATE INDEX listings_of_type_and_neighbourhood_by_date
    ON listings (type_id, neighbourhood_id, date_published, id);
CREATE INDEX listings_closed_by_date ON listings (date_published, id) WHERE is_closed;

-- Of a type for adults (cannabis shops), nothing but the bare facts is public.
ALTER TABLE listing_types ADD COLUMN is_age_restricted boolean NOT NULL DEFAULT false;
