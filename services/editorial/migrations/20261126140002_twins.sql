-- Events that several sources bring.
-- What events of one name and start have in common; absent until their next import.
ALTER TABLE items ADD COLUMN twin_key text;
CREATE INDEX items_by_twin_key ON items (twin_key) WHERE twin_key IS NOT NULL;

-- Source ids whose event is another source's item.
CREATE TABLE twins (
    source_id text PRIMARY KEY,
    item_id bigint NOT NULL REFERENCES items (id) ON DELETE CASCADE
);
CREATE INDEX twins_of_item ON twins (item_id);
