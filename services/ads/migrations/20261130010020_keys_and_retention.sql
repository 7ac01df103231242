-- The keys (Ed25519) that have signed links: advertisers may verify the log years later. A key signs from its position up
-- to the next key's.
CREATE TABLE log_keys (
    position bigint PRIMARY KEY,
    public_key bytea NOT NULL,
    first_used_at timestamptz NOT NULL,
    -- The signatures of the replacement by the previous key, and by this key. `handover` is empty for the first key, and
    -- if the process that replaced the previous key did not have it.
    handover bytea NOT NULL,
    acceptance bytea NOT NULL
);

-- The first of the days of the batch's events. `is_emptied` says that they are deleted, or soon will be.
ALTER TABLE batches ADD COLUMN first_day date;
UPDATE batches SET first_day = (SELECT min(day) FROM unnest(days) AS day);
ALTER TABLE batches ALTER COLUMN first_day SET NOT NULL;
CREATE INDEX batches_with_events ON batches (first_day) WHERE NOT is_emptied;

CREATE INDEX hourly_by_hour ON hourly (hour);

DROP FUNCTION drop_days(date);

-- The first days that have a partition, oldest first.
CREATE FUNCTION days_with_events(most integer) RETURNS SETOF date LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT to_date(right(c.relname, 8), 'YYYYMMDD') FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass ORDER BY c.relname LIMIT most
$$;

-- Deletes the partition of a day. It gives up after a second behind a reader of the log, because new events wait behind
-- it.
CREATE FUNCTION drop_day(unwanted date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
SET lock_timeout = '1s' AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('ads.partitions', 0));
    EXECUTE format('DROP TABLE IF EXISTS %I', 'events_' || to_char(unwanted, 'YYYYMMDD'));
END $$;
