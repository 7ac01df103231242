-- Places of an age-restricted type, whose photos public lists leave out: a projection of the places service.
CREATE TABLE restricted_listings (
    listing_id bigint PRIMARY KEY
);
