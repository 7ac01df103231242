-- When places are open, by their opening hours and the wall clock: places with the same hours share a row. Parsing
-- hours is the service's work, so the migration fills nothing: a text that is absent, or whose row does not cover an
-- instant, is evaluated by the service for each list until the job has computed it.
CREATE TABLE open_periods (
    -- As in `listings`.
    opening_hours text PRIMARY KEY,
    -- The time for which the periods are computed.
    covers tsrange NOT NULL,
    periods tsmultirange NOT NULL
);
