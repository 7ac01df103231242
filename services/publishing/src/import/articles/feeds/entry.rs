//! Feed entries, independent of the feed's format.

use chassis::slug;
use chrono::{DateTime, NaiveDateTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use url::Url;

use super::super::super::text;

/// Maximum number of authors, categories, or audio and video files of an entry.
const MAX_OF_EACH: usize = 200;

pub(super) enum Part {
    /// Address of the feed's site.
    Site(String),
    /// Default author of entries without an author.
    Author(String),
    /// An entry with its position.
    Entry(String, Box<Entry>),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Text {
    #[default]
    None,
    Plain(String),
    Html(String),
    /// Plain text or HTML: the feed does not specify which.
    Either(String),
}

impl Text {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Plain(text) | Self::Html(text) | Self::Either(text) => text.trim().is_empty(),
        }
    }

    /// Converts the text to HTML.
    pub(super) fn html(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Plain(plain) => text::html_of_plain(plain),
            Self::Html(html) => html.clone(),
            Self::Either(text) => text::html(text),
        }
    }
}

/// The kind of an entry on its site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum EntryKind {
    #[default]
    Post,
    Page,
    /// A comment or an internal object of the site.
    Other(String),
}

#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    /// Id in the feed.
    pub(super) id: String,
    /// Address of the entry's page.
    pub(super) link: String,
    pub(super) title: Text,
    pub(super) content: Text,
    pub(super) summary: Text,
    pub(super) authors: Vec<String>,
    /// Slugs and names of categories.
    pub(super) categories: Vec<[String; 2]>,
    pub(super) published: String,
    pub(super) updated: String,
    pub(super) is_draft: bool,
    /// Address of the entry's picture.
    pub(super) picture: Option<String>,
    /// Address of a small picture, used if there is no large one.
    pub(super) thumbnail: String,
    /// Addresses of the entry's audio and video files.
    pub(super) players: Vec<String>,
}

impl Entry {
    pub(super) fn add_author(&mut self, name: &str) {
        let name = text::line(name);
        let is_new = !self.authors.contains(&name);
        // The name must result in a slug.
        if is_new && self.authors.len() < MAX_OF_EACH && !slug::from_name(&name).is_empty() {
            self.authors.push(name);
        }
    }

    /// Adds a category with an identifying `term` and a display `name`.
    pub(super) fn add_category(&mut self, term: &str, name: &str) {
        let name = text::line(if name.trim().is_empty() { term } else { name });
        if self.categories.len() < MAX_OF_EACH {
            self.categories.push([slug::from_name(term), name]);
        }
    }

    /// Adds a file by its address and media type.
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

    /// Returns the date of publication, or else of the last change. The error contains an invalid date.
    pub(super) fn published_at(&self, zone: Tz) -> Result<Option<DateTime<Utc>>, String> {
        let dates = [&self.published, &self.updated].into_iter();
        let written = dates.map(|date| date.trim()).find(|date| !date.is_empty());
        written
            .map(|date| instant(date, zone).ok_or_else(|| format!("its date {date:?} is no date")))
            .transpose()
    }
}

/// Parses a date of a feed, RFC 2822 or RFC 3339, and tolerates common mistakes. `zone` applies to times without a time
/// zone.
fn instant(text: &str, zone: Tz) -> Option<DateTime<Utc>> {
    // Names of days are in the site's language and often wrong.
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

/// Whether a query parameter only tracks feed readers.
fn counts_readers(name: &str, value: &str) -> bool {
    name.starts_with("utm_") || (name == "source" && value.starts_with("rss"))
}

/// Returns the path of an address on the former site, with a trailing slash, or `WordPress`'s numeric address; `None`
/// for an address that is identified only by its query.
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
            // A wrong day, no day, a day in another language, an obsolete zone, a two-digit year.
            ("Mon, 15 Mar 2024 23:19:23 GMT", "2024-03-15T23:19:23.000Z"),
            ("15 Mar 2024 19:19 EDT", "2024-03-15T23:19:00.000Z"),
            ("ven., 15 Mar 2024 23:19:23 UT", "2024-03-15T23:19:23.000Z"),
            ("Fri, 15 Mar 24 23:19:23 Z", "2024-03-15T23:19:23.000Z"),
            ("2024-03-15T19:19:23.5-04:00", "2024-03-15T23:19:23.500Z"),
            ("2024-03-15T19:19:23-0400", "2024-03-15T23:19:23.000Z"),
            ("2024-03-15T19:19-04:00", "2024-03-15T23:19:00.000Z"),
            ("2024-03-15 19:19:23 -0400", "2024-03-15T23:19:23.000Z"),
            // Times in the site's zone.
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
