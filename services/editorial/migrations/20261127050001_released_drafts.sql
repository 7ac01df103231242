-- Drafts of imports that an editor has published: they are shown, whatever later imports say.
ALTER TABLE items ADD COLUMN released_at timestamptz, ADD COLUMN released_by text,
    ADD CHECK (released_at IS NULL OR NOT is_draft);
CREATE INDEX items_drafts ON items (id) WHERE is_draft;
