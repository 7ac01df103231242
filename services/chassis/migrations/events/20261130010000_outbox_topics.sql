-- Each topic, that is an exchange and a key, has its own share of the relay's batches.
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (exchange, key, next_attempt_at, seq);

-- The topics that have events. Each is found by one step in the index, however many events it has.
CREATE VIEW outbox_topic AS
WITH RECURSIVE topic AS (
    (SELECT exchange, key FROM outbox ORDER BY exchange, key LIMIT 1)
    UNION ALL
    SELECT next.exchange, next.key
    FROM topic CROSS JOIN LATERAL (
        SELECT exchange, key FROM outbox
        WHERE (exchange, key) > (topic.exchange, topic.key)
        ORDER BY exchange, key LIMIT 1
    ) next
)
SELECT exchange, key FROM topic;
