-- Readers whose data an erasure deletes: nothing is written for them any more. The id of a deleted account leads to no
-- person.
CREATE TABLE erased_readers (
    profile_id bigint PRIMARY KEY,
    at timestamptz NOT NULL
);
CREATE INDEX erased_readers_at ON erased_readers (at);

-- Refuses a row of an erased reader, from any writer: a call that began before the erasure, a consumer, a job or a retry.
-- The lock makes an erasure wait for transactions that have written for the reader, so that it finds their rows. Each
-- statement of the function sees what was committed before it (READ COMMITTED).
CREATE FUNCTION refuse_erased_reader() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(TG_TABLE_SCHEMA, NEW.profile_id));
    IF EXISTS (SELECT FROM erased_readers WHERE profile_id = NEW.profile_id) THEN
        RAISE EXCEPTION 'the account has been erased' USING ERRCODE = 'CG001';
    END IF;
    RETURN NEW;
END
$$;
