//! Tests of the choice, one page at a time.

use chrono::TimeDelta;

use super::*;
use crate::plan::{Content, Targeting};

fn size(text: &str) -> Size {
    text.parse().expect("a size")
}

fn creative(id: i64, of: &str) -> Creative {
    Creative {
        id,
        source_id: format!("creative-{id}"),
        size: size(of),
        weight: 1,
        landing: "/".to_owned(),
        alternative: "An ad".to_owned(),
        content: Content::Html(String::new()),
    }
}

fn campaign(id: i64, priority: Priority, creatives: &[&str]) -> Campaign {
    Campaign {
        id,
        source_id: format!("campaign-{id}"),
        advertiser: format!("advertiser-{id}"),
        advertiser_name: format!("Advertiser {id}"),
        name: format!("Campaign {id}"),
        category: String::new(),
        starts_at: now() - TimeDelta::days(1),
        ends_at: now() + TimeDelta::days(1),
        line_items: vec![LineItem {
            id,
            source_id: "all".to_owned(),
            priority,
            goal: 1_000,
            share_of_voice: 0,
            targeting: Targeting::default(),
            creatives: (0..)
                .zip(creatives)
                .map(|(at, of)| creative(id * 10 + at, of))
                .collect(),
        }],
    }
}

fn now() -> DateTime<Utc> {
    "2026-12-01T12:00:00Z".parse().expect("an instant")
}

fn page() -> PageContext {
    PageContext {
        page: "article".to_owned(),
        section: Some("food".to_owned()),
        article_id: Some(7),
        keywords: vec!["ramen".to_owned(), "patios".to_owned()],
        screen: "large".to_owned(),
        ..PageContext::default()
    }
}

fn slots(count: usize, of: &str) -> Vec<Slot> {
    let slot = Slot {
        position: "side".to_owned(),
        sizes: vec![size(of)],
    };
    vec![slot; count]
}

struct Fixture {
    selector: Selector,
    drawn: f64,
}

/// A selector whose standard line items can all be served.
fn fixture(campaigns: Vec<Campaign>) -> Fixture {
    let mut selector = Selector::new(Plan { campaigns }, &mut || 1.0);
    let ids: Vec<i64> = selector.by_id.keys().copied().collect();
    for id in ids {
        selector.set_pace(id, 1.0, 1_000);
    }
    Fixture {
        selector,
        drawn: 0.0,
    }
}

impl Fixture {
    /// The ids of the campaigns shown in the slots of a page; 0 for an unfilled slot.
    fn at(&mut self, at: DateTime<Utc>, page: &PageContext, slots: &[Slot]) -> Vec<i64> {
        let drawn = self.drawn;
        let chosen = self.selector.choose(page, slots, (at, 36), &mut || drawn);
        let id = |choice: &Option<Choice<'_>>| choice.map_or(0, |choice| choice.campaign.id);
        chosen.iter().map(id).collect()
    }

    fn choose(&mut self, slots: &[Slot]) -> Vec<i64> {
        self.at(now(), &page(), slots)
    }
}

#[test]
fn a_creative_is_shown_in_a_slot_of_its_size_and_a_line_item_once_on_a_page() {
    let mut one = fixture(vec![campaign(
        1,
        Priority::Standard,
        &["300x250", "728x90"],
    )]);
    assert_eq!(one.choose(&slots(2, "300x250")), [1, 0]);
    let mut other = fixture(vec![campaign(1, Priority::Standard, &["300x250"])]);
    assert_eq!(other.choose(&slots(1, "728x90")), [0]);
}

#[test]
fn every_condition_of_a_targeting_must_be_met_by_the_page() {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let accepted: [fn(&mut Targeting); 6] = [
        |targeting| targeting.pages.push("article".to_owned()),
        |targeting| targeting.sections.push("food".to_owned()),
        |targeting| targeting.article_ids.push(7),
        |targeting| targeting.keywords.push("patios".to_owned()),
        |targeting| targeting.screens.push("large".to_owned()),
        |targeting| targeting.hours.push(36),
    ];
    let refused: [fn(&mut Targeting); 8] = [
        |targeting| targeting.pages.push("home".to_owned()),
        |targeting| targeting.sections.push("news".to_owned()),
        |targeting| targeting.article_ids.push(8),
        |targeting| targeting.keywords.push("sushi".to_owned()),
        |targeting| targeting.screens.push("small".to_owned()),
        |targeting| targeting.hours.push(35),
        |targeting| targeting.types.push("cafes".to_owned()),
        |targeting| targeting.neighbourhoods.push("kensington".to_owned()),
    ];
    let shown = |change: &dyn Fn(&mut Targeting)| {
        let mut campaign = campaign(1, Priority::Standard, &["300x250"]);
        change(&mut campaign.line_items[0].targeting);
        fixture(vec![campaign]).choose(&slots(1, "300x250")) == [1]
    };
    for (at, change) in accepted.iter().enumerate() {
        assert!(shown(change), "accepted {at}");
    }
    for (at, change) in refused.iter().enumerate() {
        assert!(!shown(change), "refused {at}");
        let both = |targeting: &mut Targeting| {
            change(targeting);
            targeting.sections = words(&["food"]);
        };
        assert!(
            at == 1 || !shown(&both),
            "refused {at} though the section fits"
        );
    }
}

#[test]
fn sponsors_come_first_with_their_share_and_house_ads_last() {
    let mut sponsor = campaign(1, Priority::Sponsorship, &["300x250"]);
    sponsor.line_items[0].share_of_voice = 40;
    let mut fixture = fixture(vec![
        campaign(3, Priority::House, &["300x250"]),
        sponsor,
        campaign(2, Priority::Standard, &["300x250"]),
    ]);
    fixture.drawn = 0.39;
    assert_eq!(fixture.choose(&slots(3, "300x250")), [1, 2, 3]);
    fixture.drawn = 0.41;
    assert_eq!(
        fixture.at(now() + TimeDelta::seconds(9), &page(), &slots(1, "300x250")),
        [2]
    );
}

#[test]
fn competitors_do_not_share_a_page_and_parts_of_one_advertiser_do() {
    let mut roasters = campaign(1, Priority::Standard, &["300x250"]);
    let mut rivals = campaign(2, Priority::Standard, &["300x250"]);
    roasters.category = "coffee".to_owned();
    rivals.category = "coffee".to_owned();
    let mut second = roasters.line_items[0].clone();
    second.id = 9;
    roasters.line_items.push(second);
    let mut fixture = fixture(vec![roasters, rivals]);
    assert_eq!(fixture.choose(&slots(3, "300x250")), [1, 1, 0]);
}

#[test]
fn a_line_item_waits_until_its_pace_allows_another() {
    let mut fixture = fixture(vec![campaign(1, Priority::Standard, &["300x250"])]);
    let after = |milliseconds| now() + TimeDelta::milliseconds(milliseconds);
    let one = slots(1, "300x250");
    let mut shown = |milliseconds| fixture.at(after(milliseconds), &page(), &one);
    assert_eq!(shown(0), [1]);
    assert_eq!(shown(500), [0]);
    assert_eq!(shown(1_020), [1]);
    assert_eq!(shown(60_000), [1], "two seconds' worth was saved up");
    assert_eq!(shown(60_100), [1]);
    assert_eq!(shown(60_200), [0]);
    fixture.selector.set_pace(1, 1.0, 0);
    assert_eq!(
        fixture.at(after(90_000), &page(), &one),
        [0],
        "nothing is left"
    );
}

#[test]
fn a_campaign_is_shown_between_its_instants_alone() {
    let mut campaign = campaign(1, Priority::House, &["300x250"]);
    campaign.starts_at = now();
    campaign.ends_at = now() + TimeDelta::hours(1);
    let mut fixture = fixture(vec![campaign]);
    let one = slots(1, "300x250");
    for (seconds, expected) in [(-1, 0), (0, 1), (3_599, 1), (3_600, 0)] {
        let at = now() + TimeDelta::seconds(seconds);
        assert_eq!(fixture.at(at, &page(), &one), [expected], "{seconds}");
    }
}

#[test]
fn what_was_served_is_told_once_and_kept_across_plans() {
    let mut former = fixture(vec![campaign(1, Priority::Standard, &["300x250"])]);
    former.choose(&slots(1, "300x250"));
    let campaigns = vec![
        campaign(2, Priority::House, &["300x250"]),
        campaign(1, Priority::Standard, &["300x250"]),
    ];
    let mut next = fixture(campaigns).selector;
    next.take_over(&former.selector);
    let served = next.take_served();
    assert_eq!(served, [(1, 1)]);
    assert_eq!(next.take_served(), []);
    next.give_back_served(&served);
    assert_eq!(next.take_served(), [(1, 1)]);
}
