//! Deletions after the retention period, which is 30 days for events.

use ads_proto::v1::EventKind;
use chrono::{NaiveTime, TimeDelta};
use metrics_exporter_prometheus::PrometheusBuilder;
use sqlx::Connection as _;
use testkit::statements::Statements;

use crate::fixture::{Fixture, event};

const PARTITIONS: &str =
    "SELECT count(*) FROM pg_inherits WHERE inhparent = 'ads.events'::regclass";

impl Fixture {
    /// Records impressions of pages that were served this many minutes ago, as one batch.
    async fn impressions(&self, served: &[(u8, i64)]) {
        let ids = self.ids().await;
        let events = served.iter().map(|(opportunity, minutes)| {
            let ago = minutes * 60_000;
            event(self, ids, (*opportunity, EventKind::Impression, ago))
        });
        self.record(events.collect()).await;
    }

    async fn execute(&self, statement: &'static str) {
        let mut connection = self.parts.database.connection().await;
        let done = sqlx::raw_sql(statement).execute(&mut connection).await;
        done.expect(statement);
        connection.close().await.expect("closes");
    }
}

#[tokio::test]
async fn a_day_of_events_is_a_partition_which_its_age_removes() {
    let fixture = Fixture::with_goal(100).await;
    fixture.impressions(&[(1, 0)]).await;
    fixture.parts.clock.advance(TimeDelta::days(30));
    fixture.drain().await;
    assert_eq!(fixture.parts.database.number(PARTITIONS).await, 1);
    assert_eq!(fixture.follow().await.expect("whole").followed(), (1, 0));
    fixture.parts.clock.advance(TimeDelta::days(1));
    fixture.drain().await;
    assert_eq!(fixture.parts.database.number(PARTITIONS).await, 0);
    assert_eq!(fixture.follow().await.expect("whole").followed(), (1, 1));
    let counted = "SELECT sum(impressions)::bigint FROM ads.hourly";
    assert_eq!(fixture.parts.database.number(counted).await, 1);
}

#[tokio::test]
async fn the_oldest_day_is_measured_with_its_retention() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let page = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let fixture = Fixture::with_goal(100).await;
    fixture.impressions(&[(1, 0)]).await;
    let begun = fixture
        .now()
        .date_naive()
        .and_time(NaiveTime::MIN)
        .and_utc();
    let oldest = format!("ad_events_oldest_timestamp_seconds {}", begun.timestamp());
    fixture.parts.clock.advance(TimeDelta::days(5));
    fixture.drain().await;
    let measured = page.render();
    assert!(measured.contains(&oldest), "{measured}");
    assert!(
        measured.contains("ad_events_retention_seconds 2592000"),
        "{measured}"
    );
}

#[tokio::test]
async fn a_batch_of_two_days_does_not_break_the_log_when_the_first_is_deleted() {
    let fixture = Fixture::with_goal(100).await;
    // The clock moves from noon to ten minutes after midnight.
    fixture
        .parts
        .clock
        .advance(TimeDelta::minutes(12 * 60 + 10));
    fixture.impressions(&[(1, 20), (2, 5)]).await;
    fixture.parts.clock.advance(TimeDelta::days(30));
    fixture.drain().await;
    assert_eq!(fixture.parts.database.number(PARTITIONS).await, 1);
    assert_eq!(fixture.follow().await.expect("whole").followed(), (1, 1));
}

#[tokio::test]
async fn an_event_that_cannot_be_judged_keeps_its_day_and_no_other() {
    let fixture = Fixture::with_goal(100).await;
    fixture.impressions(&[(1, 0)]).await;
    fixture.parts.clock.advance(TimeDelta::days(1));
    fixture.impressions(&[(2, 0)]).await;
    fixture.report().await;
    fixture
        .execute(
            "WITH stuck AS (INSERT INTO ads.batches (days, first_day, events)
               SELECT ARRAY[day], day, 1 FROM ads.events ORDER BY day DESC LIMIT 1 RETURNING id, first_day)
             INSERT INTO ads.events
             SELECT e.day, gen_random_uuid(), e.kind, stuck.id, e.at, e.creative_id, e.position, 99
             FROM stuck JOIN ads.events e ON e.day = stuck.first_day LIMIT 1",
        )
        .await;
    fixture.parts.clock.advance(TimeDelta::days(40));
    fixture.drain().await;
    assert_eq!(fixture.parts.database.number(PARTITIONS).await, 1);
    fixture
        .execute("UPDATE ads.events SET verdict = 0 WHERE verdict = 99")
        .await;
    fixture.drain().await;
    assert_eq!(fixture.parts.database.number(PARTITIONS).await, 0);
}

/// Four full slices and one more batch.
const BACKLOG: &str = "
    SELECT ads.ensure_day('2026-01-01');
    INSERT INTO ads.batches (days, first_day, events, digest, position, link, signature)
    SELECT '{2026-01-01}', '2026-01-01', 1, '', at, '', '' FROM generate_series(1, 20001) at;
    INSERT INTO ads.hourly (creative_id, hour)
    SELECT id, hour FROM ads.creatives, generate_series(timestamptz '2024-01-01', '2026-06-01', '1 hour') hour;
    ANALYZE ads.batches, ads.hourly;";

#[tokio::test]
async fn a_backlog_is_emptied_in_slices() {
    let fixture = Fixture::with_goal(100).await;
    fixture.execute(BACKLOG).await;
    let statements = Statements::count();
    fixture.drain().await;
    // Five slices in the first run, and an empty one in the second.
    assert_eq!(statements.of("batches.empty"), 6);
    let left = "SELECT count(*) FROM ads.batches WHERE NOT is_emptied";
    assert_eq!(fixture.parts.database.number(left).await, 0);
    assert_eq!(fixture.parts.database.number(PARTITIONS).await, 0);
}

#[tokio::test]
async fn no_purge_reads_rows_that_are_not_old() {
    let fixture = Fixture::with_goal(100).await;
    fixture.execute(BACKLOG).await;
    let mut connection = fixture.parts.database.connection().await;
    for (statement, index) in [
        (
            "EXPLAIN SELECT min(first_day) FROM ads.batches WHERE NOT is_emptied",
            "batches_with_events",
        ),
        (
            "EXPLAIN SELECT id FROM ads.batches WHERE NOT is_emptied AND position IS NOT NULL
             AND first_day < '2025-06-01' ORDER BY first_day LIMIT 5000",
            "batches_with_events",
        ),
        (
            "EXPLAIN SELECT ctid FROM ads.hourly WHERE hour < '2024-01-02' LIMIT 5000",
            "hourly_by_hour",
        ),
    ] {
        let plan: Vec<String> = sqlx::query_scalar(statement)
            .fetch_all(&mut connection)
            .await
            .expect(statement);
        let plan = plan.join("\n");
        assert!(plan.contains(index) && !plan.contains("Seq Scan"), "{plan}");
    }
}
