CREATE TRIGGER bookmarks_refuse_erased_reader BEFORE INSERT ON bookmarks
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
