-- PostgreSQL's extensions. A database has one of each, so they are in their own schema, the last of every service's
-- search path. This migration precedes all that use an extension. Services may migrate at the same time: the lock of
-- migrations makes them take turns.
DO $$
DECLARE
    name text;
    present_in text;
BEGIN
    IF to_regnamespace('extensions') IS NULL THEN
        CREATE SCHEMA extensions;
        -- Each service may have its own role.
        GRANT USAGE ON SCHEMA extensions TO PUBLIC;
    END IF;
    FOREACH name IN ARRAY ARRAY['cube', 'pg_trgm', 'unaccent'] LOOP
        SELECT n.nspname INTO present_in
        FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = name;
        IF present_in IS NULL THEN
            EXECUTE format('CREATE EXTENSION %I SCHEMA extensions', name);
        ELSIF present_in <> 'extensions' THEN
            RAISE EXCEPTION 'the extension % is in the schema %, where no service finds it', name, present_in
            USING HINT = format('ALTER EXTENSION %I SET SCHEMA extensions', name);
        END IF;
    END LOOP;
END $$;

-- A name in the form that keyword searches compare: without accents and case, composed, by the same rules in every
-- database. It is declared immutable although `unaccent` is not, because the dictionary of `unaccent` can be changed:
-- indexes of folded names must be rebuilt after such a change. Names are qualified, because indexes are also maintained
-- with an empty search path. Most names are ASCII, and a search for a word without trigrams folds the name of every row
-- that it reads, so ASCII names take a short cut.
CREATE FUNCTION folded(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
BEGIN
    IF octet_length(name) = length(name) THEN
        RETURN lower(name COLLATE "C");
    END IF;
    RETURN lower(extensions.unaccent('extensions.unaccent', normalize(name, NFC)) COLLATE "und-x-icu");
END $$;
