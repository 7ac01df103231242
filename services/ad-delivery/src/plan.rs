//! Campaigns as they are booked.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::size::Size;

/// Somebody who advertises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advertiser {
    /// A slug, by which campaigns name it.
    pub source_id: String,
    /// As readers see it.
    pub name: String,
    /// An https address; empty if there is none.
    pub website: String,
}

/// What one advertiser has booked between two instants.
#[derive(Debug, Clone, PartialEq)]
pub struct Campaign {
    /// 0 until it is stored.
    pub id: i64,
    /// A slug, unique among campaigns.
    pub source_id: String,
    /// The slug of its advertiser.
    pub advertiser: String,
    /// The name of its advertiser; empty until it is stored.
    pub advertiser_name: String,
    /// For the publisher.
    pub name: String,
    /// No two advertisers of one category share a page; empty: it has no competitors.
    pub category: String,
    /// Its first instant.
    pub starts_at: DateTime<Utc>,
    /// The first instant after it.
    pub ends_at: DateTime<Utc>,
    /// Its parts.
    pub line_items: Vec<LineItem>,
}

/// The rank of a line item among those that want a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A share of all opportunities.
    Sponsorship,
    /// Impressions up to a goal, spread over the campaign.
    Standard,
    /// The site's own, if nobody else has the slot.
    House,
}

/// A part of a campaign with a goal and a targeting of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineItem {
    /// 0 until it is stored.
    #[serde(skip)]
    pub id: i64,
    /// A slug, unique within its campaign.
    pub source_id: String,
    /// Its rank.
    pub priority: Priority,
    /// Impressions; 0 unless it is a standard one.
    pub goal: u64,
    /// In percent; 0 unless it is a sponsorship.
    pub share_of_voice: u8,
    /// Where it may be shown.
    pub targeting: Targeting,
    /// What is shown.
    #[serde(skip)]
    pub creatives: Vec<Creative>,
}

/// Where a line item may be shown. An empty list is no condition; of another, one entry must match.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Targeting {
    /// Kinds of pages.
    pub pages: Vec<String>,
    /// Sections of articles.
    pub sections: Vec<String>,
    /// Articles.
    pub article_ids: Vec<i64>,
    /// Types of places.
    pub types: Vec<String>,
    /// Parts of the city.
    pub neighbourhoods: Vec<String>,
    /// Words of the page.
    pub keywords: Vec<String>,
    /// Screen types.
    pub screens: Vec<String>,
    /// Hours of the week in the site's zone, from Monday 00:00 (0).
    pub hours: Vec<u8>,
}

/// What is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creative {
    /// 0 until it is stored.
    #[serde(skip)]
    pub id: i64,
    /// A slug, unique within its line item.
    pub source_id: String,
    /// In CSS pixels.
    pub size: Size,
    /// Its share among its line item's creatives, from 1.
    pub weight: u32,
    /// Where a click leads: an https address, or a path of this site.
    pub landing: String,
    /// What it shows, in words.
    pub alternative: String,
    /// The picture, the document or the text.
    pub content: Content,
}

/// The content of a creative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The address of a picture.
    Image(String),
    /// A document of HTML.
    Html(String),
    /// A text in the form of the page around it.
    Native(Native),
}

/// A text in the form of the page around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Native {
    /// Its first line.
    pub headline: String,
    /// A sentence or two.
    pub text: String,
    /// What the link says.
    pub call: String,
    /// The address of a picture; empty if it has none.
    pub image: String,
}

/// The campaigns that can be served.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Each with the ids that it is stored under.
    pub campaigns: Vec<Campaign>,
}

impl Campaign {
    /// Whether it runs at an instant.
    #[must_use]
    pub fn runs_at(&self, now: DateTime<Utc>) -> bool {
        self.starts_at <= now && now < self.ends_at
    }

    /// Whether all of it is the site's own.
    fn is_house(&self) -> bool {
        let mut items = self.line_items.iter();
        items.all(|item| item.priority == Priority::House)
    }
}

impl Plan {
    /// The slugs and names of the advertisers with a campaign that runs at an instant, in the order of their names.
    /// Campaigns of the site's own are left out.
    #[must_use]
    pub fn advertisers_at(&self, now: DateTime<Utc>) -> Vec<(&str, &str)> {
        let running = self.campaigns.iter();
        let running = running.filter(|campaign| campaign.runs_at(now) && !campaign.is_house());
        let by_name: BTreeMap<_, _> = running
            .map(|campaign| {
                let (slug, name) = (&*campaign.advertiser, &*campaign.advertiser_name);
                ((name.to_lowercase(), slug), (slug, name))
            })
            .collect();
        by_name.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn hour(number: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(number)
    }

    fn campaign((slug, name): (&str, &str), hours: [i64; 2], priorities: &[Priority]) -> Campaign {
        let items = priorities.iter().map(|priority| LineItem {
            id: 0,
            source_id: String::new(),
            priority: *priority,
            goal: 0,
            share_of_voice: 0,
            targeting: Targeting::default(),
            creatives: Vec::new(),
        });
        Campaign {
            id: 0,
            source_id: String::new(),
            advertiser: slug.to_owned(),
            advertiser_name: name.to_owned(),
            name: String::new(),
            category: String::new(),
            starts_at: hour(hours[0]),
            ends_at: hour(hours[1]),
            line_items: items.collect(),
        }
    }

    #[test]
    fn advertisers_are_those_whose_campaigns_run_each_once_and_by_name() {
        use Priority::{House, Sponsorship, Standard};
        let plan = Plan {
            campaigns: vec![
                campaign(("zebra", "Zebra Café"), [1, 9], &[Standard]),
                campaign(("oaks", "oaks"), [1, 9], &[House, Standard]),
                campaign(("acorns", "Acorns"), [1, 9], &[Sponsorship]),
                campaign(("acorns", "Acorns"), [2, 9], &[Standard]),
                campaign(("ours", "Ours"), [1, 9], &[House, House]),
                campaign(("past", "Past"), [1, 5], &[Standard]),
                campaign(("future", "Future"), [6, 9], &[Standard]),
            ],
        };
        let at_five = [
            ("acorns", "Acorns"),
            ("oaks", "oaks"),
            ("zebra", "Zebra Café"),
        ];
        assert_eq!(plan.advertisers_at(hour(5)), at_five);
        assert_eq!(plan.advertisers_at(hour(4)).len(), 4, "the past one too");
        assert_eq!(plan.advertisers_at(hour(6))[1].0, "future");
        assert_eq!(plan.advertisers_at(hour(9)), []);
    }
}
