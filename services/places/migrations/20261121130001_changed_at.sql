-- When a publisher last changed what is shown, for search engines; absent where nobody has since it was made.
-- Votes do not count.
ALTER TABLE listings ADD COLUMN changed_at timestamptz;
