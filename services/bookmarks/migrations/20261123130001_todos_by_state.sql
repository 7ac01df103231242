-- To-dos that are done, and those that are not, are listed and counted apart.
CREATE INDEX todos_by_state ON bookmarks (profile_id, is_done, created_at, id) WHERE is_done IS NOT NULL;
