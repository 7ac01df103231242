-- The places that an article's text names, and the place at which an event happens. Their ids are the places service's.
CREATE TABLE item_places (
    listing_id bigint NOT NULL,
    item_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    PRIMARY KEY (listing_id, item_id)
);
CREATE INDEX item_places_of_item ON item_places (item_id);
-- For the articles that name a place of a neighbourhood.
CREATE INDEX search_documents_of_neighbourhood ON search_documents (neighbourhood, id) WHERE kind = 'listing';
