CREATE TRIGGER stamps_refuse_erased_reader BEFORE INSERT ON stamps
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
