//! What is deleted after its time.

use chrono::TimeDelta;
use cityguide_proto::ads::v1::EventKind;
use testkit::until;

use crate::bench::{Bench, event};

#[tokio::test]
async fn a_day_of_events_is_a_partition_which_its_age_removes() {
    let bench = Bench::with_goal(100).await;
    let ids = bench.ids().await;
    bench
        .record(vec![event(&bench, ids, (1, EventKind::Impression, 500))])
        .await;
    bench.report().await;
    let partitions = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'ads.events'::regclass";
    assert_eq!(bench.parts.database.number(partitions).await, 1);
    bench.parts.clock.advance(TimeDelta::days(32));
    // The purge runs 30 seconds after the start; a test does what it does.
    let dropped = "SELECT ads.drop_days(DATE '2026-11-22')";
    assert_eq!(bench.parts.database.number(dropped).await, 1);
    let kept = "SELECT count(*) FROM ads.batches WHERE is_emptied";
    until("the batch is emptied", async || {
        (bench.parts.database.number(kept).await == 1).then_some(())
    })
    .await;
    assert_eq!(bench.parts.database.number(partitions).await, 0);
    let counted = "SELECT sum(impressions)::bigint FROM ads.hourly";
    assert_eq!(bench.parts.database.number(counted).await, 1);
}
