//! A simulated day of a site with a rush hour of five times as many pages: every campaign must still be delivered along
//! the traffic curve.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers of impressions and of seconds of a day"
)]

use std::collections::VecDeque;

use ad_delivery::{
    Campaign, Content, Creative, Curve, Delivered, Flight, HOURS_OF_WEEK, LineItem, Pace,
    PageContext, Plan, Priority, Selector, Size, Slot, Targeting,
};
use chrono::{DateTime, TimeDelta, Utc};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

const PAGES: f64 = 100_000.0;
const CAMPAIGNS: i64 = 10;
const GOAL: u64 = 30_000;
const SLOTS: usize = 6;
/// The rush hour of the simulated day.
const RUSH: usize = 15;
/// The share of ads that readers never scroll to.
const UNSEEN: f64 = 0.25;
/// Seconds between two measurements of the delivery.
const TICK: i64 = 2;

fn begin() -> DateTime<Utc> {
    "2026-12-01T00:00:00Z".parse().expect("an instant")
}

/// The pages of each hour, in thousandths of the day: few at night, most in the evening.
const SHAPE: [f64; 24] = [
    12.0, 8.0, 6.0, 5.0, 6.0, 11.0, 24.0, 44.0, 56.0, 55.0, 52.0, 54.0, 66.0, 60.0, 52.0, 50.0,
    54.0, 60.0, 66.0, 70.0, 72.0, 60.0, 37.0, 20.0,
];

fn curve() -> Curve {
    let mut pages = [0.0; HOURS_OF_WEEK];
    for (hour, pages) in pages.iter_mut().enumerate() {
        *pages = SHAPE[hour % 24];
    }
    Curve::new(&pages, 0)
}

fn plan() -> Plan {
    let size = Size::new(300, 250).expect("a size");
    let campaigns = (1..=CAMPAIGNS).map(|id| Campaign {
        id,
        source_id: format!("campaign-{id}"),
        advertiser: format!("advertiser-{id}"),
        advertiser_name: format!("Advertiser {id}"),
        name: format!("Campaign {id}"),
        category: String::new(),
        starts_at: begin(),
        ends_at: begin() + TimeDelta::days(1),
        line_items: vec![LineItem {
            id,
            source_id: "all".to_owned(),
            priority: Priority::Standard,
            goal: GOAL,
            share_of_voice: 0,
            targeting: Targeting::default(),
            creatives: vec![Creative {
                id,
                source_id: "one".to_owned(),
                size,
                weight: 1,
                landing: "/".to_owned(),
                alternative: "An ad".to_owned(),
                content: Content::Html(String::new()),
            }],
        }],
    });
    Plan {
        campaigns: campaigns.collect(),
    }
}

/// Returns the impressions of every campaign in every hour.
fn deliver() -> Vec<[u64; 24]> {
    let mut chance = StdRng::seed_from_u64(7);
    let curve = curve();
    let mut selector = Selector::new(plan(), &mut || chance.random());
    let slot = Slot {
        position: "any".to_owned(),
        sizes: vec![Size::new(300, 250).expect("a size")],
    };
    let slots = vec![slot; SLOTS];
    let context = PageContext {
        page: "home".to_owned(),
        screen: "large".to_owned(),
        ..PageContext::default()
    };
    let campaigns = usize::try_from(CAMPAIGNS).expect("few");
    let mut delivered = vec![Delivered::default(); campaigns];
    let mut by_hour = vec![[0; 24]; campaigns];
    // Impressions in transit: their arrival, and their campaign.
    let mut coming: VecDeque<(DateTime<Utc>, usize)> = VecDeque::new();
    let (mut due, whole): (f64, f64) = (0.0, SHAPE.iter().sum());
    for tick in 0..86_400 / TICK {
        let now = begin() + TimeDelta::seconds(tick * TICK);
        let hour = usize::try_from(tick * TICK / 3_600).expect("an hour");
        while coming.front().is_some_and(|(at, _)| *at <= now) {
            let (_, owner) = coming.pop_front().expect("one");
            delivered[owner].impressions += 1;
            by_hour[owner][hour] += 1;
        }
        for (id, served) in selector.take_served() {
            delivered[usize::try_from(id - 1).expect("an index")].served += served;
        }
        for (owner, so_far) in delivered.iter().enumerate() {
            let flight = Flight {
                starts_at: begin(),
                ends_at: begin() + TimeDelta::days(1),
                goal: GOAL,
            };
            let allowed = Pace::at(&curve, flight, *so_far, now);
            let id = i64::try_from(owner).expect("few") + 1;
            selector.set_pace(id, allowed.per_second, allowed.most.ceil() as u64);
        }
        let rush = if hour == RUSH { 5.0 } else { 1.0 };
        due += rush * PAGES * SHAPE[hour] / whole / 3_600.0 * TICK as f64;
        while due >= 1.0 {
            due -= 1.0;
            let at = now + TimeDelta::milliseconds(chance.random_range(0..TICK * 1_000));
            let hour_of_week = curve.hour_of_week(at);
            let mut drawn = || chance.random();
            let chosen = selector.choose(&context, &slots, (at, hour_of_week), &mut drawn);
            let ids: Vec<i64> = chosen.iter().flatten().map(|one| one.campaign.id).collect();
            for id in ids {
                if chance.random::<f64>() >= UNSEEN {
                    let owner = usize::try_from(id - 1).expect("an index");
                    coming.push_back((at + TimeDelta::seconds(1), owner));
                }
            }
        }
    }
    by_hour
}

#[test]
fn every_hour_of_a_day_with_a_rush_gets_its_part_of_the_goal_and_nobody_more_than_the_goal() {
    let whole: f64 = SHAPE.iter().sum();
    for (owner, hours) in deliver().iter().enumerate() {
        let sum: u64 = hours.iter().sum();
        assert!(sum <= GOAL, "campaign {owner} got {sum}");
        assert!(
            sum as f64 >= 0.998 * GOAL as f64,
            "campaign {owner} got {sum}"
        );
        for (hour, count) in hours.iter().enumerate() {
            let goal = GOAL as f64 * SHAPE[hour] / whole;
            let off = (*count as f64 - goal).abs();
            assert!(
                off <= (0.02 * goal).max(4.0),
                "campaign {owner}, hour {hour}: {count} in place of {goal:.0}"
            );
        }
    }
}
