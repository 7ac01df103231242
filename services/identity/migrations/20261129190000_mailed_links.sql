-- An account may have several valid links for a purpose: otherwise anyone who requests a link would invalidate the link that
-- the account's owner has just received.
ALTER TABLE mailed_links DROP CONSTRAINT mailed_links_pkey;
ALTER TABLE mailed_links DROP CONSTRAINT mailed_links_token_digest_key;
ALTER TABLE mailed_links ADD PRIMARY KEY (token_digest);
CREATE INDEX mailed_links_of_profile ON mailed_links (profile_id, purpose, created_at);
