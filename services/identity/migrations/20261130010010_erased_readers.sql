CREATE TRIGGER last_updates_refuse_erased_reader BEFORE INSERT ON last_updates
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
