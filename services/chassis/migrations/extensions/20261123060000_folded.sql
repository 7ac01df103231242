-- A name as keyword searches compare it: without accents and case, composed, by the same rules in every database.
-- Declared immutable, which `unaccent` is not because its dictionary can be changed: indexes of folded names would
-- have to be rebuilt then. Names are qualified, since indexes are also maintained with an empty search path. Most
-- names are ASCII, and a search for a word without trigrams folds the name of every row that it reads: their way is
-- the short one.
CREATE FUNCTION folded(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
BEGIN
    IF octet_length(name) = length(name) THEN
        RETURN lower(name COLLATE "C");
    END IF;
    RETURN lower(extensions.unaccent('extensions.unaccent', normalize(name, NFC)) COLLATE "und-x-icu");
END $$;
