-- Whether readers let pages load what belongs to other companies: the last word of each. The ledger has all of them.
CREATE TABLE third_party_choices (
    profile_id bigint PRIMARY KEY,
    is_allowed boolean NOT NULL,
    -- The digest of the text shown, a key of wordings; NULL for a refusal.
    wording bytea,
    at timestamptz NOT NULL,
    CHECK (is_allowed = (wording IS NOT NULL))
);
