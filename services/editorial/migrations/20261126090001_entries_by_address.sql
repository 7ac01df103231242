-- A reader's entries, to be exported or erased.
CREATE INDEX contest_entries_by_address ON contest_entries (email_key, id);
