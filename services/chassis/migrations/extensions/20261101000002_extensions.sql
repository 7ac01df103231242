-- PostgreSQL's extensions, of which a database has one each: they stand in a schema of their own, the last of every
-- service's search path. This version precedes every migration that uses one, so that a new database has them here
-- from the beginning. Services may migrate at the same time: the lock of migrations makes them take turns.
DO $$
DECLARE
    name text;
    present_in text;
BEGIN
    IF to_regnamespace('extensions') IS NULL THEN
        CREATE SCHEMA extensions;
        -- Each service may have a role of its own.
        GRANT USAGE ON SCHEMA extensions TO PUBLIC;
    END IF;
    FOREACH name IN ARRAY ARRAY['cube', 'pg_trgm', 'unaccent'] LOOP
        SELECT n.nspname INTO present_in
        FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = name;
        IF present_in IS NULL THEN
            EXECUTE format('CREATE EXTENSION %I SCHEMA extensions', name);
        -- The first releases created `cube` in the schema of places; places' own migration moves it.
        ELSIF present_in <> 'extensions' AND (name, present_in) <> ('cube', 'places') THEN
            RAISE EXCEPTION 'the extension % is in the schema %, where no service finds it', name, present_in
            USING HINT = format('ALTER EXTENSION %I SET SCHEMA extensions', name);
        END IF;
    END LOOP;
END $$;
