-- When a publisher last changed what is shown, for search engines; absent where nobody has since it was made.
ALTER TABLE items ADD COLUMN changed_at timestamptz;
