//! Pages of lists: an offset for the first pages, and an opaque cursor, `after`, with which every page costs the same.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{Datelike, NaiveDate};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};

use crate::{error::Fault, instant};

/// The maximum offset; deeper pages require `after`.
pub const MAX_OFFSET: u32 = 10_000;
/// The maximum page size.
pub const MAX_LIMIT: u32 = 100;
/// The default page size.
pub const DEFAULT_LIMIT: u32 = 12;
/// The maximum length of a keyword search, in characters.
pub const MAX_KEYWORDS: usize = 200;

/// The field that orders a list. The order is total: the id breaks ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ordering {
    /// The field by which the list is ordered.
    pub field: &'static str,
    /// Whether the order is descending.
    pub descending: bool,
}

/// The item after which a page begins: its value of the ordering field, and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// The field's value, as the store formatted it.
    pub key: String,
    /// The item's id.
    pub id: i64,
}

/// The type of an ordering's values, which are transmitted as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyType {
    /// Any text.
    Text,
    /// RFC 3339.
    Instant,
    /// `YYYY-MM-DD`.
    Date,
    /// A number.
    Number,
}

impl KeyType {
    /// Whether a cursor's key is a value of this type in canonical form: clients can forge cursors, and PostgreSQL
    /// fails on a value that it cannot parse.
    #[must_use]
    pub fn accepts(self, key: &str) -> bool {
        match self {
            Self::Text => true,
            Self::Instant => instant::from_rfc3339(key).is_some(),
            Self::Date => key
                .parse::<NaiveDate>()
                .is_ok_and(|date| instant::YEARS.contains(&date.year()) && date.to_string() == key),
            Self::Number => key
                .parse::<f64>()
                .is_ok_and(|number| number.is_finite() && number.to_string() == key),
        }
    }

    /// The SQL cast that converts a cursor's text to this type.
    pub(crate) const fn cast(self) -> &'static str {
        match self {
            Self::Text => "::text",
            Self::Instant => "::timestamptz",
            Self::Date => "::date",
            Self::Number => "::float8",
        }
    }
}

/// A validated page request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The number of items to skip; 0 if `after` is set.
    pub skip: u32,
    /// The number of items on the page; fetch one more to detect whether there is a next page.
    pub limit: u32,
    /// The order of the list.
    pub ordering: Ordering,
    /// Words that the name must contain.
    pub keywords: Option<String>,
    /// The item after which the page begins.
    pub after: Option<After>,
}

impl Page {
    /// Validates a request for a list that can be ordered by `fields`; the first field is the default order. Fields are
    /// written as in a request (`-date_published`).
    pub fn parse(request: Option<&PageRequest>, fields: &[&'static str]) -> Result<Self, Fault> {
        let absent = PageRequest {
            limit: DEFAULT_LIMIT,
            ..PageRequest::default()
        };
        let request = request.unwrap_or(&absent);
        let ordering = parse_ordering(&request.ordering, fields)?;
        let after = (!request.after.is_empty())
            .then(|| decode(&request.after, ordering))
            .transpose()?;
        if request.limit == 0 || request.limit > MAX_LIMIT {
            return Err(Fault::invalid_field(
                "limit",
                "Ensure this value is between 1 and 100.",
            ));
        }
        if after.is_none() && request.offset > MAX_OFFSET {
            return Err(Fault::invalid_field(
                "offset",
                "Ensure this value is between 0 and 10000.",
            ));
        }
        Ok(Self {
            skip: if after.is_some() { 0 } else { request.offset },
            limit: request.limit,
            ordering,
            keywords: parse_keywords(&request.keywords)?,
            after,
        })
    }

    /// Refuses a cursor whose key does not have the type of the ordering field, because clients can forge cursors.
    /// `key_of` returns a field's type.
    pub fn with_key(self, key_of: impl FnOnce(&str) -> KeyType) -> Result<Self, Fault> {
        match &self.after {
            Some(after) if !key_of(self.ordering.field).accepts(&after.key) => Err(invalid_after()),
            _ => Ok(self),
        }
    }

    /// The number of rows to fetch: one more than the page contains.
    pub(crate) fn fetch(&self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// Cuts the fetched rows to the page and creates the cursor of the next page. `cursor` returns a row's value of the
    /// ordering field, and its id.
    pub fn finish<T>(
        &self,
        mut rows: Vec<T>,
        count: i64,
        cursor: impl Fn(&T) -> (String, i64),
    ) -> (Vec<T>, PageInfo) {
        let more = rows.len() > self.limit as usize;
        rows.truncate(self.limit as usize);
        let next_after = rows.last().filter(|_| more).map(|last| {
            let (key, id) = cursor(last);
            encode(self.ordering, &key, id)
        });
        (rows, PageInfo { count, next_after })
    }
}

fn parse_ordering(text: &str, fields: &[&'static str]) -> Result<Ordering, Fault> {
    let split = |text: &'static str| match text.strip_prefix('-') {
        Some(field) => Ordering {
            field,
            descending: true,
        },
        None => Ordering {
            field: text,
            descending: false,
        },
    };
    let mut orderings = fields.iter().copied().map(split);
    if text.is_empty() {
        return orderings
            .next()
            .ok_or_else(|| Fault::invalid_field("ordering", "This list has no ordering."));
    }
    let (field, descending) = match text.strip_prefix('-') {
        Some(field) => (field, true),
        None => (text, false),
    };
    orderings.find(|known| known.field == field).map_or_else(
        || {
            let names: Vec<_> = fields
                .iter()
                .map(|field| field.trim_start_matches('-'))
                .collect();
            Err(Fault::invalid_field(
                "ordering",
                format!("Choose one of: {}.", names.join(", ")),
            ))
        },
        |known| {
            Ok(Ordering {
                field: known.field,
                descending,
            })
        },
    )
}

fn parse_keywords(text: &str) -> Result<Option<String>, Fault> {
    let text = text.trim();
    if text.contains('\0') {
        return Err(Fault::invalid_field(
            "keywords",
            "Null characters are not allowed.",
        ));
    }
    if text.chars().count() > MAX_KEYWORDS {
        return Err(Fault::invalid_field(
            "keywords",
            format!("Ensure this field has no more than {MAX_KEYWORDS} characters."),
        ));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn encode(ordering: Ordering, key: &str, id: i64) -> String {
    let sign = if ordering.descending { "-" } else { "" };
    let place = serde_json::json!([format!("{sign}{}", ordering.field), key, id]);
    BASE64_URL_SAFE_NO_PAD.encode(place.to_string())
}

fn decode(text: &str, ordering: Ordering) -> Result<After, Fault> {
    let bytes = BASE64_URL_SAFE_NO_PAD
        .decode(text)
        .map_err(|_| invalid_after())?;
    let (written, key, id): (String, String, i64) =
        serde_json::from_slice(&bytes).map_err(|_| invalid_after())?;
    let sign = if ordering.descending { "-" } else { "" };
    if written != format!("{sign}{}", ordering.field) || key.contains('\0') {
        return Err(invalid_after());
    }
    Ok(After { key, id })
}

fn invalid_after() -> Fault {
    Fault::invalid_field("after", "Follow `next` as it was given.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &[&str] = &["-date_published", "name"];

    fn request() -> PageRequest {
        PageRequest {
            limit: 2,
            ..PageRequest::default()
        }
    }

    fn refused(request: &PageRequest) -> String {
        Page::parse(Some(request), FIELDS)
            .expect_err("refused")
            .fields[0]
            .field
            .clone()
    }

    #[test]
    fn the_first_field_is_the_default_order() {
        let page = Page::parse(Some(&request()), FIELDS).expect("valid");
        assert_eq!(
            page.ordering,
            Ordering {
                field: "date_published",
                descending: true
            }
        );
    }

    #[test]
    fn each_bound_names_its_field() {
        assert_eq!(
            refused(&PageRequest {
                limit: 0,
                ..request()
            }),
            "limit"
        );
        assert_eq!(
            refused(&PageRequest {
                limit: 101,
                ..request()
            }),
            "limit"
        );
        assert_eq!(
            refused(&PageRequest {
                offset: 10_001,
                ..request()
            }),
            "offset"
        );
        for ordering in ["password_hash", "-", "--name", "name;"] {
            let ordering = ordering.to_owned();
            assert_eq!(
                refused(&PageRequest {
                    ordering,
                    ..request()
                }),
                "ordering"
            );
        }
        assert_eq!(
            refused(&PageRequest {
                keywords: "a\0b".into(),
                ..request()
            }),
            "keywords"
        );
        assert_eq!(
            refused(&PageRequest {
                keywords: "é".repeat(201),
                ..request()
            }),
            "keywords"
        );
        for after in ["%", "bm90IGpzb24", "W10"] {
            assert_eq!(
                refused(&PageRequest {
                    after: after.into(),
                    ..request()
                }),
                "after"
            );
        }
    }

    #[test]
    fn a_next_page_begins_after_the_last_item_and_only_in_its_own_order() {
        let page = Page::parse(Some(&request()), FIELDS).expect("valid");
        let (rows, info) = page.finish(vec![5, 4, 3], 9, |id| (format!("k{id}"), *id));
        assert_eq!(rows, [5, 4]);
        let after = info.next_after.expect("there is more");
        let deep = PageRequest {
            offset: 1_000_000,
            after: after.clone(),
            ..request()
        };
        let next = Page::parse(Some(&deep), FIELDS).expect("valid");
        assert_eq!(
            next.after,
            Some(After {
                key: "k4".into(),
                id: 4
            })
        );
        assert_eq!(next.skip, 0);
        assert_eq!(
            refused(&PageRequest {
                ordering: "name".into(),
                after,
                ..request()
            }),
            "after"
        );
    }

    #[test]
    fn a_made_up_key_is_refused_where_the_field_cannot_have_it() {
        let after = encode(
            Ordering {
                field: "name",
                descending: false,
            },
            "key",
            1,
        );
        let request = PageRequest {
            ordering: "name".into(),
            after,
            ..request()
        };
        let page = Page::parse(Some(&request), FIELDS).expect("valid");
        let of = |key| page.clone().with_key(|_| key);
        assert!(of(KeyType::Text).is_ok());
        assert!(of(KeyType::Instant).is_err());
    }

    #[test]
    fn the_last_page_has_no_next() {
        let page = Page::parse(Some(&request()), FIELDS).expect("valid");
        let (_, info) = page.finish(vec![2, 1], 2, |id| (String::new(), *id));
        assert_eq!(info.next_after, None);
    }

    #[test]
    fn only_values_of_the_type_are_keys() {
        for (key, accepted, refused) in [
            (KeyType::Instant, "2026-11-22T10:00:00.000Z", "yesterday"),
            (KeyType::Date, "2026-02-28", "2026-02-30"),
            (KeyType::Number, "4.25", "NaN"),
        ] {
            assert!(key.accepts(accepted), "{accepted}");
            assert!(!key.accepts(refused), "{refused}");
        }
        // PostgreSQL cannot parse five-digit years.
        for (key, refused) in [
            (KeyType::Instant, "+10000-01-01T00:00:00.000Z"),
            (KeyType::Date, "+10000-01-01"),
        ] {
            assert!(!key.accepts(refused), "{refused}");
        }
        assert!(KeyType::Text.accepts(""));
    }
}
