-- When the address of an entry was last sent a mail about it: an entry that is made again is confirmed at most once a day.
ALTER TABLE contest_entries ADD COLUMN mailed_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE contest_entries ALTER COLUMN mailed_at DROP DEFAULT;
