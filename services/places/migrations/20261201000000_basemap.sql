-- The map below the site's places: GeoJSON as it is served. There is at most one.
CREATE TABLE basemap (
    id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    geojson text NOT NULL,
    credit text NOT NULL
);
