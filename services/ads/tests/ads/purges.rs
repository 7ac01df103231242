//! Deletions after the retention period.

use ads_proto::v1::EventKind;
use chrono::TimeDelta;
use testkit::until;

use crate::fixture::{Fixture, event};

#[tokio::test]
async fn a_day_of_events_is_a_partition_which_its_age_removes() {
    let fixture = Fixture::with_goal(100).await;
    let ids = fixture.ids().await;
    fixture
        .record(vec![event(&fixture, ids, (1, EventKind::Impression, 500))])
        .await;
    fixture.report().await;
    let partitions = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'ads.events'::regclass";
    assert_eq!(fixture.parts.database.number(partitions).await, 1);
    fixture.parts.clock.advance(TimeDelta::days(32));
    // The purge runs 30 seconds after the start; the test runs its statement instead.
    let dropped = "SELECT ads.drop_days(DATE '2026-11-22')";
    assert_eq!(fixture.parts.database.number(dropped).await, 1);
    let kept = "SELECT count(*) FROM ads.batches WHERE is_emptied";
    until("the batch is emptied", async || {
        (fixture.parts.database.number(kept).await == 1).then_some(())
    })
    .await;
    assert_eq!(fixture.parts.database.number(partitions).await, 0);
    let counted = "SELECT sum(impressions)::bigint FROM ads.hourly";
    assert_eq!(fixture.parts.database.number(counted).await, 1);
}
