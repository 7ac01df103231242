//! Newsletter issues and the outcomes of their deliveries.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use vocabulary::newsletters::Kind;

/// Maximum length of a subject that mail programs display completely.
const SUBJECT: usize = 78;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Scheduled,
    Sending,
    Sent,
    Empty,
    Cancelled,
}

impl State {
    const ALL: [Self; 5] = [
        Self::Scheduled,
        Self::Sending,
        Self::Sent,
        Self::Empty,
        Self::Cancelled,
    ];

    /// Returns the state's name in tables and calls.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Empty => "empty",
            Self::Cancelled => "cancelled",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether the issue is public.
    pub(crate) const fn is_public(self) -> bool {
        matches!(self, Self::Sending | Self::Sent)
    }
}

/// The outcome of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Accepted,
    Deferred,
    Bounced,
    Complained,
    Failed,
    Suppressed,
    Withdrawn,
}

impl Fate {
    /// Returns the outcome's name in tables and calls.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Deferred => "deferred",
            Self::Bounced => "bounced",
            Self::Complained => "complained",
            Self::Failed => "failed",
            Self::Suppressed => "suppressed",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// An item in an issue: an article, event or place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Item {
    /// Reference, such as `article/12`, which prevents repetitions in later issues.
    pub(crate) reference: String,
    /// Display label: "Culture", "Saturday, December 5, 2026".
    pub(crate) label: String,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) path: String,
    /// Path or address; `None` without a picture that mail programs support.
    #[serde(default)]
    pub(crate) image: Option<String>,
}

#[cfg(test)]
impl Item {
    /// A test item with only a reference.
    pub(crate) fn referring(reference: &str) -> Self {
        Self {
            reference: reference.to_owned(),
            label: String::new(),
            title: reference.to_owned(),
            text: String::new(),
            path: "/".to_owned(),
            image: None,
        }
    }
}

/// Items with a heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Section {
    /// Empty if there is no heading.
    pub(crate) heading: String,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Content {
    pub(crate) subject: String,
    /// Preview text that mail programs show beside the subject.
    pub(crate) preheader: String,
    /// An operator's Markdown text, above the sections.
    #[serde(default)]
    pub(crate) text_markdown: String,
    pub(crate) sections: Vec<Section>,
}

/// The effect of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Imported {
    Created,
    /// With the changed fields, by their names for publishers.
    Changed(Vec<&'static str>),
    Unchanged,
}

/// An issue written by an operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub(crate) subject: String,
    pub(crate) preheader: String,
    pub(crate) text_markdown: String,
}

impl Draft {
    /// Returns the fields that differ, by their names for publishers.
    pub(crate) fn changes(&self, other: &Self) -> Vec<&'static str> {
        let fields = [
            ("subject", self.subject == other.subject),
            ("preheader", self.preheader == other.preheader),
            ("text", self.text_markdown == other.text_markdown),
        ];
        let changed = fields.into_iter().filter(|(_, is_same)| !is_same);
        changed.map(|(name, _)| name).collect()
    }

    /// Returns the content to be sent.
    pub(crate) fn content(&self) -> Content {
        Content {
            subject: self.subject.clone(),
            preheader: self.preheader.clone(),
            text_markdown: self.text_markdown.clone(),
            sections: Vec::new(),
        }
    }
}

impl Content {
    /// Creates the content of an issue with these sections. The subject contains its first item. Returns `None` if all
    /// sections are empty.
    pub(crate) fn of(sections: Vec<Section>) -> Option<Self> {
        let sections: Vec<_> = sections
            .into_iter()
            .filter(|section| !section.items.is_empty())
            .collect();
        let items: Vec<_> = sections.iter().flat_map(|section| &section.items).collect();
        let (first, rest) = items.split_first()?;
        let titles: Vec<_> = rest.iter().map(|item| item.title.as_str()).collect();
        Some(Self {
            subject: subject(&first.title, rest.len()),
            preheader: if titles.is_empty() {
                first.text.clone()
            } else {
                format!("Also: {}", titles[..titles.len().min(3)].join(" · "))
            },
            text_markdown: String::new(),
            sections,
        })
    }

    pub(crate) fn references(&self) -> impl Iterator<Item = &str> {
        let items = self.sections.iter().flat_map(|section| &section.items);
        items.map(|item| item.reference.as_str())
    }
}

fn subject(title: &str, others: usize) -> String {
    let more = match others {
        0 => String::new(),
        1 => ", and one more".to_owned(),
        others => format!(", and {others} more"),
    };
    let room = SUBJECT - more.chars().count();
    let shortened = if title.chars().count() <= room {
        title.to_owned()
    } else {
        let cut: String = title.chars().take(room - 1).collect();
        let whole = cut
            .rsplit_once(' ')
            .map_or(cut.as_str(), |(whole, _)| whole);
        format!(
            "{}…",
            whole.trim_end_matches([',', ';', ':', '.', '–', '—', ' '])
        )
    };
    format!("{shortened}{more}")
}

#[derive(Debug, Clone)]
pub(crate) struct Issue {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    pub(crate) slot: String,
    pub(crate) state: State,
    pub(crate) since: DateTime<Utc>,
    pub(crate) until: DateTime<Utc>,
    pub(crate) send_at: DateTime<Utc>,
    pub(crate) finished_at: Option<DateTime<Utc>>,
    pub(crate) draft: Option<Draft>,
    pub(crate) content: Option<Content>,
}

/// Number of an issue's deliveries with an outcome.
#[derive(Debug)]
pub(crate) struct FateCount {
    pub(crate) fate: String,
    pub(crate) count: i64,
}

/// The outcome of an issue for a subscriber.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) issue_id: i64,
    pub(crate) kind: String,
    pub(crate) slot: String,
    pub(crate) fate: String,
    /// Reply of the mail server.
    pub(crate) answer: Option<String>,
    pub(crate) at: DateTime<Utc>,
}

/// Returns the message id of an issue for a subscriber. The id is always the same, so that a server can detect
/// duplicates.
pub(crate) fn letter_id(addresses: &super::Addresses, issue: i64, subscriber: i64) -> Uuid {
    let hash = addresses.hash(&format!("letter {issue} {subscriber}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(title: &str) -> Item {
        Item {
            reference: format!("article/{title}"),
            label: "Culture".to_owned(),
            title: title.to_owned(),
            text: "Words.".to_owned(),
            path: "/culture/one/".to_owned(),
            image: None,
        }
    }

    fn of(titles: &[&str]) -> Option<Content> {
        Content::of(vec![
            Section {
                heading: String::new(),
                items: titles.iter().map(|title| item(title)).collect(),
            },
            Section {
                heading: "Nothing".to_owned(),
                items: Vec::new(),
            },
        ])
    }

    #[test]
    fn an_issue_is_named_after_what_is_in_it() {
        let content = of(&["A new streetcar"]).expect("something");
        assert_eq!(content.subject, "A new streetcar");
        assert_eq!(content.preheader, "Words.");
        assert_eq!(content.sections.len(), 1);
        let content = of(&["A new streetcar", "Two", "Three", "Four", "Five"]).expect("something");
        assert_eq!(content.subject, "A new streetcar, and 4 more");
        assert_eq!(content.preheader, "Also: Two · Three · Four");
    }

    #[test]
    fn a_long_title_ends_at_a_word() {
        let title =
            "The city, it turns out, has more bridges than anybody has ever counted, twice over";
        let subject = of(&[title, "Two"]).expect("something").subject;
        assert!(subject.chars().count() <= SUBJECT, "{subject}");
        assert!(
            subject.ends_with("anybody has ever…, and one more"),
            "{subject}"
        );
        let endless = "a".repeat(200);
        assert_eq!(
            of(&[&endless]).expect("something").subject.chars().count(),
            SUBJECT
        );
    }

    #[test]
    fn nothing_new_is_no_issue() {
        assert_eq!(of(&[]), None);
    }
}
