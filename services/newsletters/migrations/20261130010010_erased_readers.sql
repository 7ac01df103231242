-- A guest's subscriptions may become an account's.
CREATE TRIGGER subscribers_refuse_erased_reader BEFORE INSERT OR UPDATE OF profile_id ON subscribers
    FOR EACH ROW WHEN (NEW.profile_id IS NOT NULL) EXECUTE FUNCTION refuse_erased_reader();

CREATE TRIGGER third_party_choices_refuse_erased_reader BEFORE INSERT ON third_party_choices
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_reader();
