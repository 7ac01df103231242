//! An entry of a feed, whatever the form of the feed.

use chassis::slug;
use chrono::{DateTime, NaiveDateTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use url::Url;

use super::super::super::text;

/// Authors, categories, sounds or videos of one entry that are kept.
const MAX_OF_EACH: usize = 200;

/// A part of a feed.
pub(super) enum Part {
    /// The address of its site.
    Site(String),
    /// An author of all entries that name none.
    Author(String),
    /// An entry, with its position.
    Entry(String, Box<Entry>),
}

/// A text of a feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Text {
    #[default]
    None,
    Plain(String),
    Html(String),
    /// Nobody says which of both it is.
    Either(String),
}

impl Text {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Plain(text) | Self::Html(text) | Self::Either(text) => text.trim().is_empty(),
        }
    }

    /// The text as HTML.
    pub(super) fn html(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Plain(plain) => text::html_of_plain(plain),
            Self::Html(html) => html.clone(),
            Self::Either(text) => text::html(text),
        }
    }
}

/// What an entry is on its site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum EntryKind {
    #[default]
    Post,
    Page,
    /// A comment, or a part of the site's workings.
    Other(String),
}

/// A post of a feed.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    /// What its feed calls it.
    pub(super) id: String,
    /// The address of its page.
    pub(super) link: String,
    pub(super) title: Text,
    pub(super) content: Text,
    pub(super) summary: Text,
    pub(super) authors: Vec<String>,
    /// Slugs and names.
    pub(super) categories: Vec<[String; 2]>,
    pub(super) published: String,
    pub(super) updated: String,
    pub(super) is_draft: bool,
    /// The address of its picture.
    pub(super) picture: Option<String>,
    /// The address of a small picture, for want of a large one.
    pub(super) thumbnail: String,
    /// The addresses of sounds and videos that belong to it.
    pub(super) players: Vec<String>,
}

impl Entry {
    pub(super) fn add_author(&mut self, name: &str) {
        let name = text::line(name);
        let is_new = !self.authors.contains(&name);
        // A name must make a slug.
        if is_new && self.authors.len() < MAX_OF_EACH && !slug::from_name(&name).is_empty() {
            self.authors.push(name);
        }
    }

    /// Adds a category. `term` tells it apart, `name` is shown.
    pub(super) fn add_category(&mut self, term: &str, name: &str) {
        let name = text::line(if name.trim().is_empty() { term } else { name });
        if self.categories.len() < MAX_OF_EACH {
            self.categories.push([slug::from_name(term), name]);
        }
    }

    /// Adds a file that belongs to it, by its address and kind.
    pub(super) fn add_file(&mut self, address: &str, mime: &str, medium: &str) {
        let kind = mime.split('/').next().unwrap_or_default();
        let is = |wanted: &str| {
            medium.eq_ignore_ascii_case(wanted) || kind.trim().eq_ignore_ascii_case(wanted)
        };
        if address.is_empty() {
        } else if is("image") {
            self.picture.get_or_insert_with(|| address.to_owned());
        } else if (is("audio") || is("video") || mime == "application/x-shockwave-flash")
            && self.players.len() < MAX_OF_EACH
        {
            self.players.push(address.to_owned());
        }
    }

    /// When it was published; else when it was changed. An error names what is no date.
    pub(super) fn published_at(&self, zone: Tz) -> Result<Option<DateTime<Utc>>, String> {
        let dates = [&self.published, &self.updated].into_iter();
        let written = dates.map(|date| date.trim()).find(|date| !date.is_empty());
        written
            .map(|date| instant(date, zone).ok_or_else(|| format!("its date {date:?} is no date")))
            .transpose()
    }
}

/// An instant as feeds write it: RFC 2822 or RFC 3339, with the mistakes that are common. `zone` is that of a time
/// that names none.
fn instant(text: &str, zone: Tz) -> Option<DateTime<Utc>> {
    // Names of days are in the language of the site, and often wrong.
    let day = text.split_once(',').filter(|(day, _)| {
        let mut letters = day.trim().chars();
        letters.all(|letter| letter.is_alphabetic() || letter == '.')
    });
    let text = day.map_or(text, |(_, rest)| rest.trim());
    let with_zone = DateTime::parse_from_rfc2822(text)
        .or_else(|_| DateTime::parse_from_rfc3339(text))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M%#z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S %#z"));
    if let Ok(at) = with_zone {
        return Some(at.to_utc());
    }
    let local = [
        "%Y-%m-%dT%H:%M:%S%.f",
        "%Y-%m-%d %H:%M:%S",
        "%d %b %Y %H:%M:%S",
    ]
    .iter()
    .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
    .or_else(|| text.parse().ok().map(chrono::NaiveDate::into))?;
    Some(zone.from_local_datetime(&local).earliest()?.to_utc())
}

/// Parameters by which feeds count their readers.
fn counts_readers(name: &str, value: &str) -> bool {
    name.starts_with("utm_") || (name == "source" && value.starts_with("rss"))
}

/// The path of an address on the former site: with its slash at the end, or the number by which `WordPress` names it;
/// `None` for an address that only its query tells apart.
pub(super) fn path(url: &Url) -> Option<String> {
    let query = url.query_pairs();
    let mut query = query.filter(|(name, value)| !counts_readers(name, value));
    match query.next() {
        None => {
            let parts: Vec<&str> = url.path().split('/').filter(|it| !it.is_empty()).collect();
            (!parts.is_empty()).then(|| format!("/{}/", parts.join("/")))
        }
        Some((name, number)) => {
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            let is_by_number = matches!(&*name, "p" | "page_id") && url.path() == "/" && is_number;
            (is_by_number && query.next().is_none()).then(|| format!("/?p={number}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use chassis::instant::to_rfc3339;

    use super::*;

    #[test]
    fn dates_are_read_as_feeds_write_them() {
        for (text, expected) in [
            (
                "Fri, 15 Mar 2024 19:19:23 -0400",
                "2024-03-15T23:19:23.000Z",
            ),
            // The wrong day, no day, a day of another language, an obsolete zone, two digits.
            ("Mon, 15 Mar 2024 23:19:23 GMT", "2024-03-15T23:19:23.000Z"),
            ("15 Mar 2024 19:19 EDT", "2024-03-15T23:19:00.000Z"),
            ("ven., 15 Mar 2024 23:19:23 UT", "2024-03-15T23:19:23.000Z"),
            ("Fri, 15 Mar 24 23:19:23 Z", "2024-03-15T23:19:23.000Z"),
            ("2024-03-15T19:19:23.5-04:00", "2024-03-15T23:19:23.500Z"),
            ("2024-03-15T19:19:23-0400", "2024-03-15T23:19:23.000Z"),
            ("2024-03-15T19:19-04:00", "2024-03-15T23:19:00.000Z"),
            ("2024-03-15 19:19:23 -0400", "2024-03-15T23:19:23.000Z"),
            // By the site's clock.
            ("2024-03-15T19:19:23", "2024-03-15T23:19:23.000Z"),
            ("2024-03-15 19:19:23", "2024-03-15T23:19:23.000Z"),
            ("15 Mar 2024 19:19:23", "2024-03-15T23:19:23.000Z"),
            ("2024-03-15", "2024-03-15T04:00:00.000Z"),
        ] {
            let read = instant(text, chrono_tz::America::Toronto);
            assert_eq!(read.map(to_rfc3339).as_deref(), Some(expected), "{text}");
        }
        for text in ["yesterday", "15/03/2024", "2024-02-30", "Fri, "] {
            assert_eq!(instant(text, chrono_tz::America::Toronto), None, "{text}");
        }
    }

    #[test]
    fn a_path_is_what_tells_a_page_apart() {
        for (address, expected) in [
            ("https://a.example/2024/tram.html", Some("/2024/tram.html/")),
            (
                "https://a.example/tram?source=rss----1&utm_medium=rss",
                Some("/tram/"),
            ),
            ("https://a.example/?p=17", Some("/?p=17")),
            ("https://a.example/watch?v=17", None),
            ("https://a.example/x?p=17", None),
            ("https://a.example/?p=17&preview=1", None),
            ("https://a.example/", None),
        ] {
            let url = Url::parse(address).expect("an address");
            assert_eq!(path(&url).as_deref(), expected, "{address}");
        }
    }
}
