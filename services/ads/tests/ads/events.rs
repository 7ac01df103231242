//! Events: counted once, and classified as valid or invalid.

use ads_proto::v1::{Counts, EventKind, Outcome};
use chrono::TimeDelta;
use futures::future::join_all;

use crate::fixture::{Fixture, event};

const IMPRESSION: EventKind = EventKind::Impression;
const VIEWABLE: EventKind = EventKind::Viewable;
const CLICK: EventKind = EventKind::Click;

impl Fixture {
    /// The counts of the campaign's report.
    async fn counts(&self) -> Counts {
        let report = self.report().await;
        let item = &report.campaign.expect("a campaign").line_items[0];
        item.counts.expect("counts")
    }
}

#[tokio::test]
async fn an_opportunity_is_seen_viewed_and_followed_once_whatever_is_repeated() {
    let fixture = Fixture::with_goal(100).await;
    let ids = fixture.ids().await;
    let events = || {
        vec![
            event(&fixture, ids, (1, CLICK, 3_000)),
            event(&fixture, ids, (1, IMPRESSION, 3_000)),
            event(&fixture, ids, (1, VIEWABLE, 3_000)),
        ]
    };
    assert_eq!(fixture.record(events()).await, [Outcome::Counted; 3]);
    fixture.parts.clock.advance(TimeDelta::minutes(5));
    let ago = 303_000;
    let again = vec![
        event(&fixture, ids, (1, IMPRESSION, ago)),
        event(&fixture, ids, (1, CLICK, ago)),
    ];
    assert_eq!(fixture.record(again).await, [Outcome::Repeated; 2]);
    let expected = Counts {
        impressions: 1,
        viewable: 1,
        clicks: 1,
        ..Counts::default()
    };
    assert_eq!(fixture.counts().await, expected);
}

#[tokio::test]
async fn a_hundred_calls_with_one_event_count_it_once() {
    let fixture = Fixture::with_goal(100).await;
    let ids = fixture.ids().await;
    let calls = (0..100).map(|_| fixture.record(vec![event(&fixture, ids, (1, IMPRESSION, 500))]));
    join_all(calls).await;
    assert_eq!(fixture.counts().await.impressions, 1);
    let logged = "SELECT count(*) FROM ads.events";
    assert_eq!(fixture.parts.database.number(logged).await, 1);
}

#[tokio::test]
async fn impressions_beyond_the_goal_are_a_surplus_however_many_come_at_once() {
    let fixture = Fixture::with_goal(10).await;
    let ids = fixture.ids().await;
    let calls = (0..30).map(|at| fixture.record(vec![event(&fixture, ids, (at, IMPRESSION, 500))]));
    join_all(calls).await;
    let counts = fixture.counts().await;
    assert_eq!((counts.impressions, counts.surplus), (10, 20));
}

#[tokio::test]
async fn what_no_reader_can_have_done_is_kept_apart() {
    let fixture = Fixture::with_goal(100).await;
    let ids = fixture.ids().await;
    let mut bot = event(&fixture, ids, (1, IMPRESSION, 500));
    bot.is_bot = true;
    let events = vec![
        bot,
        event(&fixture, ids, (2, CLICK, 5_000)),
        event(&fixture, ids, (3, IMPRESSION, 100)),
        event(&fixture, ids, (3, VIEWABLE, 100)),
    ];
    assert_eq!(fixture.record(events).await, [Outcome::Counted; 4]);
    let counts = fixture.counts().await;
    assert_eq!((counts.impressions, counts.invalid), (1, 3));
    let verdicts = "SELECT count(DISTINCT verdict) FROM ads.events";
    assert_eq!(fixture.parts.database.number(verdicts).await, 4);
}

#[tokio::test]
async fn an_impression_beyond_its_clients_limit_is_not_charged_nor_what_follows_it() {
    let fixture = Fixture::with_goal(100).await;
    let ids = fixture.ids().await;
    let mut excess = event(&fixture, ids, (1, IMPRESSION, 5_000));
    excess.is_excess = true;
    let events = vec![
        excess,
        event(&fixture, ids, (1, VIEWABLE, 5_000)),
        event(&fixture, ids, (2, IMPRESSION, 5_000)),
        event(&fixture, ids, (2, VIEWABLE, 5_000)),
    ];
    assert_eq!(fixture.record(events).await, [Outcome::Counted; 4]);
    let later = vec![event(&fixture, ids, (1, CLICK, 5_000))];
    assert_eq!(fixture.record(later).await, [Outcome::Counted]);
    let expected = Counts {
        impressions: 1,
        viewable: 1,
        invalid: 3,
        ..Counts::default()
    };
    assert_eq!(fixture.counts().await, expected);
    let charged = "SELECT sum(impressions)::bigint FROM ads.deliveries";
    assert_eq!(fixture.parts.database.number(charged).await, 1);
}

#[tokio::test]
async fn an_event_of_another_creative_or_line_item_is_unknown() {
    let fixture = Fixture::with_goal(100).await;
    let (line_item, creative) = fixture.ids().await;
    let events = vec![
        event(
            &fixture,
            (line_item, creative + 1_000),
            (1, IMPRESSION, 500),
        ),
        event(
            &fixture,
            (line_item + 1_000, creative),
            (2, IMPRESSION, 500),
        ),
    ];
    assert_eq!(fixture.record(events).await, [Outcome::Unknown; 2]);
    assert_eq!(fixture.counts().await, Counts::default());
}

#[tokio::test]
async fn an_event_after_midnight_of_a_page_before_it_is_still_counted_once() {
    let fixture = Fixture::with_goal(100).await;
    let ids = fixture.ids().await;
    // The clock moves from noon to ten minutes before midnight.
    fixture
        .parts
        .clock
        .advance(TimeDelta::minutes(12 * 60 - 10));
    let served = || event(&fixture, ids, (1, IMPRESSION, 0));
    let event = served();
    assert_eq!(
        fixture.record(vec![event.clone()]).await,
        [Outcome::Counted]
    );
    fixture.parts.clock.advance(TimeDelta::minutes(20));
    assert_eq!(fixture.record(vec![event]).await, [Outcome::Repeated]);
    assert_eq!(fixture.counts().await.impressions, 1);
}
