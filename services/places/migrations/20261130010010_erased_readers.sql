CREATE TRIGGER ratings_refuse_erased_reader BEFORE INSERT ON ratings
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
