CREATE TRIGGER uploaders_refuse_erased_reader BEFORE INSERT ON uploaders
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
CREATE TRIGGER photos_refuse_erased_reader BEFORE INSERT ON photos
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
CREATE TRIGGER reports_refuse_erased_reader BEFORE INSERT ON reports
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
CREATE TRIGGER decisions_refuse_erased_reader BEFORE INSERT ON decisions
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
