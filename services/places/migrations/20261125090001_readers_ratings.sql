-- Readers' lists of their votes, and bursts of votes on one place from one source.

-- The reader comes first in every key, so that the table can be spread over servers by reader. Nobody could vote before
-- this release, so the table is empty.
ALTER TABLE ratings DROP CONSTRAINT ratings_pkey, ADD PRIMARY KEY (profile_id, id);
CREATE INDEX ratings_by_date ON ratings (profile_id, date_created, id);
DROP INDEX ratings_of_listing;

-- Votes on one place from one source, beyond those that count at once.
CREATE TABLE vote_bursts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    listing_id bigint NOT NULL REFERENCES listings (id),
    -- "network" or "account-hour".
    kind text NOT NULL,
    -- The network ("203.0.113.0/24"), or the hour in which the accounts were created.
    source text NOT NULL,
    begun_at timestamptz NOT NULL,
    -- Whether its votes count; NULL while they wait.
    is_accepted boolean
);
CREATE INDEX vote_bursts_of_source ON vote_bursts (listing_id, kind, source, begun_at);
CREATE INDEX vote_bursts_to_decide ON vote_bursts (begun_at, id) WHERE is_accepted IS NULL;
CREATE INDEX vote_bursts_by_date ON vote_bursts (begun_at);

ALTER TABLE ratings
    -- False while it waits with its burst, and once it is refused.
    ADD COLUMN is_counted boolean NOT NULL DEFAULT true,
    -- Where the vote came from; NULL once that is no longer needed to recognise a burst.
    ADD COLUMN network text,
    ADD COLUMN account_hour text,
    ADD COLUMN burst_id bigint REFERENCES vote_bursts (id) ON DELETE SET NULL;
CREATE INDEX ratings_of_listing_by_network ON ratings (listing_id, network, date_created) WHERE network IS NOT NULL;
CREATE INDEX ratings_of_listing_by_account_hour ON ratings (listing_id, account_hour, date_created)
    WHERE account_hour IS NOT NULL;
CREATE INDEX ratings_of_burst ON ratings (burst_id) WHERE burst_id IS NOT NULL;
CREATE INDEX ratings_with_source ON ratings (date_created) WHERE network IS NOT NULL OR account_hour IS NOT NULL;
