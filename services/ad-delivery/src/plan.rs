//! Booked campaigns.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::size::Size;

/// An advertiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advertiser {
    /// The slug, referenced by campaigns.
    pub source_id: String,
    /// The name shown to readers.
    pub name: String,
    /// An https address; empty if absent.
    pub website: String,
}

/// A booking by an advertiser for a period.
#[derive(Debug, Clone, PartialEq)]
pub struct Campaign {
    /// The id; 0 until the campaign is stored.
    pub id: i64,
    /// The slug, unique among campaigns.
    pub source_id: String,
    /// The advertiser's slug.
    pub advertiser: String,
    /// The advertiser's name; empty until the campaign is stored.
    pub advertiser_name: String,
    /// The name for the publisher.
    pub name: String,
    /// The category; advertisers of the same category never share a page. Empty: no competitors.
    pub category: String,
    /// When the campaign starts.
    pub starts_at: DateTime<Utc>,
    /// When the campaign ends (exclusive).
    pub ends_at: DateTime<Utc>,
    /// The line items.
    pub line_items: Vec<LineItem>,
}

/// The priority of a line item for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A share of all opportunities.
    Sponsorship,
    /// A number of impressions, spread over the campaign.
    Standard,
    /// The site's own ads, if no other line item takes the slot.
    House,
}

/// A part of a campaign with its own goal and targeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineItem {
    /// The id; 0 until the line item is stored.
    #[serde(skip)]
    pub id: i64,
    /// The slug, unique within the campaign.
    pub source_id: String,
    /// The line item's priority for a slot.
    pub priority: Priority,
    /// The number of impressions; 0 unless the priority is standard.
    pub goal: u64,
    /// The share of opportunities in percent; 0 unless the line item is a sponsorship.
    pub share_of_voice: u8,
    /// The pages and hours that the line item targets.
    pub targeting: Targeting,
    /// The creatives, of which one is shown at a time.
    #[serde(skip)]
    pub creatives: Vec<Creative>,
}

/// The conditions for showing a line item. An empty list sets no condition; for any other list, one entry must match.
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
    /// Neighbourhoods.
    pub neighbourhoods: Vec<String>,
    /// Tags of the page.
    pub keywords: Vec<String>,
    /// Screen types.
    pub screens: Vec<String>,
    /// Hours of the week in the site's time zone; 0 is Monday 00:00.
    pub hours: Vec<u8>,
}

/// A creative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creative {
    /// The id; 0 until the creative is stored.
    #[serde(skip)]
    pub id: i64,
    /// The slug, unique within the line item.
    pub source_id: String,
    /// The size in CSS pixels.
    pub size: Size,
    /// The weight among the line item's creatives, at least 1.
    pub weight: u32,
    /// The landing page: an https address or a path of this site.
    pub landing: String,
    /// The alternative text.
    pub alternative: String,
    /// The content: a picture, HTML or text.
    pub content: Content,
}

/// The content of a creative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The address of a picture.
    Image(String),
    /// An HTML document.
    Html(String),
    /// A text in the style of the surrounding page.
    Native(Native),
}

/// A text in the style of the surrounding page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Native {
    /// The first line.
    pub headline: String,
    /// One or two sentences.
    pub text: String,
    /// The text of the link.
    pub call: String,
    /// The address of a picture; empty if there is none.
    pub image: String,
}

/// The campaigns that can be served.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// The campaigns, with the ids under which they are stored.
    pub campaigns: Vec<Campaign>,
}

impl Campaign {
    /// Whether the campaign is running at an instant.
    #[must_use]
    pub fn runs_at(&self, now: DateTime<Utc>) -> bool {
        self.starts_at <= now && now < self.ends_at
    }

    /// Whether all line items are the site's own.
    fn is_house(&self) -> bool {
        let mut items = self.line_items.iter();
        items.all(|item| item.priority == Priority::House)
    }
}

impl Plan {
    /// The slugs and names of the advertisers with a campaign running at an instant, ordered by name. The site's own
    /// campaigns are excluded.
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
