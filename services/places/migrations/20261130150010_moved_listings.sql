-- Former paths of places, which redirect to the current ones.
CREATE TABLE moved_listings (
    type_id bigint NOT NULL REFERENCES listing_types (id),
    slug text NOT NULL,
    listing_id bigint NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    PRIMARY KEY (type_id, slug)
);
CREATE INDEX moved_listings_of_listing ON moved_listings (listing_id);
