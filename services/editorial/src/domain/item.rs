//! Items: fields shared by all kinds and fields of each kind.

use chassis::difference;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Kind, Occurrence, PagePath, Schedule};

/// An author or a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    pub(crate) slug: String,
    pub(crate) name: String,
}

/// Fields specific to a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Detail {
    /// Articles and pages have no further fields.
    Plain,
    Event(Box<Event>),
    Contest(Contest),
    Video(Video),
}

impl Detail {
    /// Returns the publisher's names of the fields that differ.
    pub(crate) fn difference(&self, wanted: &Self) -> Vec<&'static str> {
        match (self, wanted) {
            (Self::Plain, Self::Plain) => Vec::new(),
            (Self::Event(stored), Self::Event(wanted)) => stored.difference(wanted),
            (Self::Contest(stored), Self::Contest(wanted)) => {
                difference!(Contest, *stored, wanted, {
                    opens_at: "opens",
                    closes_at: "closes",
                    question: "question",
                    rules: "rules",
                })
            }
            (Self::Video(stored), Self::Video(wanted)) => difference!(Video, *stored, wanted, {
                url: "video",
                duration_seconds: "duration",
            }),
            // Items of different kinds have different details.
            _ => vec!["detail"],
        }
    }
}

impl Event {
    fn difference(&self, wanted: &Self) -> Vec<&'static str> {
        let fields = difference!(Event, *self, wanted, {
            schedule: "schedule",
            listing_id: "place",
            venue: "venue",
            address: "address",
            category: "category",
            neighbourhood: "neighbourhood",
            is_free: "is_free",
            price: "price",
            website: "website",
        });
        let schedule = difference!(Schedule, self.schedule, wanted.schedule, {
            zone: "timezone",
            starts: "starts",
            ends: "ends",
            is_all_day: "starts",
            rule: "recurrence",
            exceptions: "exceptions",
            additions: "additions",
        });
        let fields = fields.into_iter().filter(|field| *field != "schedule");
        schedule.into_iter().chain(fields).collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) schedule: Schedule,
    /// The place at which it happens, if it is a place of the guide.
    #[serde(default)]
    pub(crate) listing_id: Option<i64>,
    pub(crate) venue: String,
    pub(crate) address: String,
    /// Slugs of the category and the neighbourhood; empty if there is none.
    pub(crate) category: String,
    pub(crate) neighbourhood: String,
    pub(crate) is_free: bool,
    pub(crate) price: String,
    pub(crate) website: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contest {
    pub(crate) opens_at: DateTime<Utc>,
    pub(crate) closes_at: DateTime<Utc>,
    pub(crate) question: String,
    pub(crate) rules: String,
}

impl Contest {
    /// Whether the entry period has begun.
    pub(crate) fn has_opened(&self, now: DateTime<Utc>) -> bool {
        self.opens_at <= now
    }

    /// Whether the entry period has ended.
    pub(crate) fn has_closed(&self, now: DateTime<Utc>) -> bool {
        self.closes_at <= now
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Video {
    pub(crate) url: String,
    pub(crate) duration_seconds: u32,
}

/// An item as shown on a card, without its text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    pub(crate) section: String,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) excerpt: String,
    pub(crate) image_url: Option<String>,
    pub(crate) is_age_restricted: bool,
    pub(crate) published_at: DateTime<Utc>,
    pub(crate) authors: Vec<Named>,
    pub(crate) tags: Vec<Named>,
    pub(crate) detail: Detail,
    pub(crate) version: i64,
    /// The event's occurrence for this list or response.
    pub(crate) occurrence: Option<Occurrence>,
}

impl Item {
    /// Returns the path of the item's page.
    pub(crate) fn path(&self) -> String {
        PagePath::new(self.kind, &self.section, &self.slug).canonical()
    }

    /// Removes age-restricted content for readers who have not confirmed their age; only name and page remain.
    pub(crate) fn gated(self) -> Self {
        if !self.is_age_restricted {
            return self;
        }
        let detail = match self.detail {
            Detail::Video(video) => Detail::Video(Video {
                url: String::new(),
                ..video
            }),
            Detail::Contest(contest) => Detail::Contest(Contest {
                question: String::new(),
                rules: String::new(),
                ..contest
            }),
            detail => detail,
        };
        Self {
            excerpt: String::new(),
            image_url: None,
            detail,
            ..self
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemText {
    pub(crate) item: Item,
    /// Sanitised HTML, safe to include in a page.
    pub(crate) body_html: String,
}

impl ItemText {
    /// Removes age-restricted content as in [`Item::gated`], including the text.
    pub(crate) fn gated(self) -> Self {
        let is_hidden = self.item.is_age_restricted;
        Self {
            body_html: if is_hidden {
                String::new()
            } else {
                self.body_html
            },
            item: self.item.gated(),
        }
    }
}

/// An event for a reader's calendar, which also shows that it has been unpublished.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CalendarEvent {
    pub(crate) item: ItemText,
    pub(crate) is_live: bool,
    /// Time of the event's publication or last later change.
    pub(crate) last_change: DateTime<Utc>,
}

/// Selects the items of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemFilter {
    pub(crate) kind: Kind,
    pub(crate) section: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) tag: Option<String>,
    pub(crate) category: Option<String>,
    /// Of an event, or of a place that an article names.
    pub(crate) neighbourhood: Option<String>,
    /// The place of an event, or a place that an article names.
    pub(crate) listing_id: Option<i64>,
    pub(crate) is_free: Option<bool>,
    pub(crate) from: Option<DateTime<Utc>>,
    pub(crate) to: Option<DateTime<Utc>>,
    pub(crate) ids: Option<Vec<i64>>,
}

impl ItemFilter {
    /// Whether the length of the list is stored, which requires that a section is the only filter.
    pub(crate) fn has_kept_count(&self) -> bool {
        let is_narrowed = self.author.is_some()
            || self.tag.is_some()
            || self.category.is_some()
            || self.neighbourhood.is_some()
            || self.listing_id.is_some()
            || self.is_free.is_some()
            || self.from.is_some()
            || self.to.is_some()
            || self.ids.is_some();
        // The length of a list of events is not stored, because it changes as events end.
        !is_narrowed && self.kind != Kind::Event
    }
}

/// A month and its number of articles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MonthCount {
    pub(crate) year: i32,
    pub(crate) month: i32,
    pub(crate) count: i64,
}
