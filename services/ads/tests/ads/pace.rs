//! Allowances of the processes that serve pages.

use ads_proto::v1::{EventKind, Refused, Served, ShowRefusalsRequest, SyncRequest};
use chrono::TimeDelta;
use testkit::calls;

use crate::fixture::{Fixture, event};

fn usage(process: u8, pages: u64, served: u64, line_item_id: i64) -> SyncRequest {
    SyncRequest {
        server: vec![process; 16],
        revision: 0,
        pages,
        served: vec![Served {
            line_item_id,
            count: served,
        }],
        refused: Vec::new(),
    }
}

#[tokio::test]
async fn a_process_gets_the_plan_once_for_each_revision() {
    let fixture = Fixture::with_goal(100).await;
    let first = fixture.sync(0).await;
    assert!(first.plan.is_some());
    let second = fixture.sync(first.revision).await;
    assert_eq!((second.plan, second.revision), (None, first.revision));
    assert_eq!(second.rates.len(), 1);
}

#[tokio::test]
async fn a_line_item_on_schedule_has_the_pace_of_its_plan_and_a_late_one_more() {
    // Half of the flight's two days of 86,400 seconds has passed.
    let fixture = Fixture::with_goal(172_800).await;
    let (line_item, _) = fixture.ids().await;
    let late = fixture.sync(0).await.rates[0];
    assert!((late.per_second - 2.0).abs() < 0.01, "{late:?}");
    let delivered =
        "WITH done AS (UPDATE ads.deliveries SET impressions = 86400, served = 86400 RETURNING 1)
        SELECT count(*) FROM done";
    assert_eq!(fixture.parts.database.number(delivered).await, 1);
    let rate = fixture.sync(0).await.rates[0];
    assert_eq!(rate.line_item_id, line_item);
    assert!((rate.per_second - 1.0).abs() < 0.01, "{rate:?}");
    assert_eq!(rate.most, 86_400);
}

#[tokio::test]
async fn a_rush_of_today_does_not_shift_what_is_planned_for_the_rest_of_the_day() {
    let fixture = Fixture::with_goal(172_800).await;
    // The site's day began at 05:00 UTC.
    let traffic = "WITH hours AS (INSERT INTO ads.traffic (hour, pages)
        SELECT hour, CASE WHEN hour < '2026-11-20 05:00Z' THEN 100 ELSE 100000 END
        FROM generate_series(timestamptz '2026-10-23 05:00Z', timestamptz '2026-11-20 12:00Z', interval '1 hour') hour
        RETURNING 1) SELECT count(*) FROM hours";
    assert_eq!(fixture.parts.database.number(traffic).await, 28 * 24 + 8);
    let rate = fixture.sync(0).await.rates[0];
    assert!((rate.per_second - 2.0).abs() < 0.01, "{rate:?}");
}

#[tokio::test]
async fn processes_share_the_pace_as_they_share_the_pages() {
    let fixture = Fixture::with_goal(172_800).await;
    let (line_item, _) = fixture.ids().await;
    for _ in 0..30 {
        fixture.parts.clock.advance(TimeDelta::seconds(2));
        fixture.sync_with(usage(2, 300, 0, line_item)).await;
        fixture.sync_with(usage(3, 100, 0, line_item)).await;
    }
    let busy = fixture.sync_with(usage(2, 0, 0, line_item)).await.rates[0];
    let quiet = fixture.sync_with(usage(3, 0, 0, line_item)).await.rates[0];
    let ratio = busy.per_second / quiet.per_second;
    assert!((2.0..=3.5).contains(&ratio), "{ratio}");
    fixture.parts.clock.advance(TimeDelta::minutes(1));
    let alone = fixture.sync_with(usage(3, 0, 0, line_item)).await.rates[0];
    assert!(alone.per_second > 3.0 * quiet.per_second, "{alone:?}");
}

#[tokio::test]
async fn a_goal_that_is_reached_and_a_flight_that_is_over_are_not_served() {
    let fixture = Fixture::with_goal(1).await;
    let ids = fixture.ids().await;
    assert!(fixture.sync(0).await.rates[0].most > 0);
    fixture
        .record(vec![event(&fixture, ids, (1, EventKind::Impression, 500))])
        .await;
    let reached = fixture.sync(0).await.rates[0];
    assert_eq!((reached.per_second, reached.most), (0.0, 0));
    fixture.parts.clock.advance(TimeDelta::days(1));
    assert_eq!(fixture.sync(0).await.rates, []);
}

#[tokio::test]
async fn what_processes_have_refused_is_counted_by_reason() {
    let fixture = Fixture::with_goal(100).await;
    for count in [2, 3] {
        let refused = vec![Refused {
            reason: "forged".to_owned(),
            count,
        }];
        let request = SyncRequest {
            server: vec![1; 16],
            refused,
            ..SyncRequest::default()
        };
        fixture.sync_with(request).await;
    }
    let request = calls::operator(ShowRefusalsRequest {});
    let shown = fixture.campaigns.clone().show_refusals(request).await;
    let hours = shown.expect("shows").into_inner().hours;
    assert_eq!((hours[0].reason.as_str(), hours[0].count), ("forged", 5));
}
