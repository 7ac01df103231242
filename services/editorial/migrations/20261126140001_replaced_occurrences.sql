-- Occurrences of recurring events that another item takes the place of, or that were cancelled. They may be known before
-- their event is.
CREATE TABLE replaced_occurrences (
    -- The source id of the recurring event.
    series text NOT NULL,
    -- By the clock of the zone.
    starts timestamp NOT NULL,
    zone text NOT NULL,
    PRIMARY KEY (series, starts, zone)
);
