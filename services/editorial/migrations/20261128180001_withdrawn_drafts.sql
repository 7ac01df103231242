-- Drafts that an editor has withdrawn: later imports do not publish them.
ALTER TABLE items ADD COLUMN withdrawn_at timestamptz;
