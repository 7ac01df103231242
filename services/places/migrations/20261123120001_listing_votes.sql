-- The sum and count of the votes on a place, in a table of their own: a vote waits for other votes on its place, and
-- not for an import that changes it. A place on which nobody has voted has no row.
CREATE TABLE listing_votes (
    listing_id bigint PRIMARY KEY REFERENCES listings (id),
    sum bigint NOT NULL DEFAULT 0,
    count bigint NOT NULL DEFAULT 0,
    -- Whether listings has the same sum and count, which lists are ordered by.
    is_ranked boolean NOT NULL DEFAULT false,
    CHECK (count >= 0 AND sum BETWEEN count AND 5 * count)
);
CREATE INDEX listing_votes_to_rank ON listing_votes (listing_id) WHERE NOT is_ranked;

INSERT INTO listing_votes (listing_id, sum, count, is_ranked)
SELECT id, rating_sum, rating_count, true FROM listings WHERE rating_count > 0;
