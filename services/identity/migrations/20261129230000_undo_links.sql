-- A link that was mailed to an account's former address undoes the change of address. As long as it is valid, no other
-- account may take that address: `restores` is the address's key, and NULL in links of other purposes.
ALTER TABLE mailed_links ADD COLUMN restores text;
CREATE INDEX mailed_links_restores ON mailed_links (restores) WHERE restores IS NOT NULL;
