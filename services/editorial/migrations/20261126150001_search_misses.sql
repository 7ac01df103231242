-- Searches without results, counted without readers: what was searched for is stored only once readers of several networks
-- have searched for it in one week. Until then there are only digests, by a key that is deleted with its week.
CREATE TABLE search_miss_weeks (
    -- Its Monday.
    week date PRIMARY KEY,
    key bytea NOT NULL
);
CREATE TABLE search_misses (
    week date NOT NULL,
    digest bytea NOT NULL,
    -- The words, once enough networks have searched for them.
    query text,
    networks bigint NOT NULL,
    PRIMARY KEY (week, digest)
);
CREATE TABLE search_miss_networks (
    week date NOT NULL,
    digest bytea NOT NULL,
    network bytea NOT NULL,
    PRIMARY KEY (week, digest, network)
);
