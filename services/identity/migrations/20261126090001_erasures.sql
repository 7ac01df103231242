-- Accounts whose readers have left: what is still to be done, and then the receipt.
CREATE TABLE erasures (
    id uuid PRIMARY KEY,
    profile_id bigint NOT NULL,
    requested_at timestamptz NOT NULL,
    -- Needed until the receipt is mailed, and NULL from then on: the account's address, the one that waited to be
    -- confirmed, and the digests of the sessions that have ended.
    email text,
    pending_email text,
    email_verified boolean NOT NULL,
    sessions bytea[],
    -- When all services had erased everything.
    completed_at timestamptz,
    -- The receipt, a JSON Web Signature, and the SHA-256 of the secret in its link.
    receipt text,
    token_digest bytea UNIQUE,
    CHECK ((completed_at IS NULL) = (receipt IS NULL) AND (receipt IS NULL) = (token_digest IS NULL))
);
CREATE INDEX erasures_completed ON erasures (completed_at);

-- The public keys (Ed25519) that receipts were ever signed with: readers may show a receipt years later.
CREATE TABLE receipt_keys (
    -- SHA-256 of the key, in hexadecimal.
    id text PRIMARY KEY,
    public_key bytea NOT NULL,
    first_used_at timestamptz NOT NULL
);
