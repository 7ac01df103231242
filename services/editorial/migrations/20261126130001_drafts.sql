-- Items that nobody is shown, whatever their dates say.
ALTER TABLE items ADD COLUMN is_draft boolean NOT NULL DEFAULT false;
