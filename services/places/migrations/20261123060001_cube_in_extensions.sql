-- `cube` moves from this schema, where earlier releases created it, to `extensions`. Until the roll-out is over,
-- processes of the previous release look for its function and operator here alone, and find stand-ins: the planner
-- replaces these by what they call, so that the index still finds the nearest places. The next release drops them.
DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_extension WHERE extname = 'cube' AND extnamespace = current_schema()::regnamespace
    ) THEN
        RETURN;
    END IF;
    -- One that an administrator created may be nobody else's to move. Here it serves as before.
    IF NOT (
        SELECT pg_has_role(extowner, 'USAGE') AND has_schema_privilege('extensions', 'CREATE')
        FROM pg_extension WHERE extname = 'cube'
    ) THEN
        RAISE WARNING 'the extension cube stays in the schema %, because another role owns it', current_schema()
        USING HINT = 'After the roll-out: ALTER EXTENSION cube SET SCHEMA extensions';
        RETURN;
    END IF;
    ALTER EXTENSION cube SET SCHEMA extensions;
    CREATE FUNCTION cube(double precision[]) RETURNS extensions.cube
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT extensions.cube($1)';
    CREATE FUNCTION cube_distance(extensions.cube, extensions.cube) RETURNS double precision
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT $1 OPERATOR(extensions.<->) $2';
    CREATE OPERATOR <-> (FUNCTION = cube_distance, LEFTARG = extensions.cube, RIGHTARG = extensions.cube);
END $$;
