//! Content files: TOML between lines of `+++`, then a text in Markdown.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde::de::DeserializeOwned;
use toml::{Spanned, value::Datetime};

const FENCE: &str = "+++";

/// A file split into its parts.
pub(super) struct Document<'a> {
    /// Path relative to the content folder, used in mistakes.
    pub(super) file: &'a str,
    front: &'a str,
    /// Markdown text.
    pub(super) body: &'a str,
    /// Line number of the text's first line.
    pub(super) body_line: usize,
}

/// A picture in a content file, with the position of its name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    /// "places/pai.md, line 9".
    pub(crate) named_at: String,
    /// Path relative to the content folder.
    pub(crate) path: String,
}

impl<'a> Document<'a> {
    pub(super) fn split(file: &'a str, text: &'a str) -> Result<Self, String> {
        let (front, body) = parts(text)
            .ok_or_else(|| format!("{file}, line 1: expected TOML between two lines of {FENCE}"))?;
        let body = body.trim_start();
        Ok(Self {
            file,
            front,
            body: body.trim_end(),
            body_line: 1 + lines_before(text, text.len() - body.len()),
        })
    }

    pub(super) fn front<T: DeserializeOwned>(&self) -> Result<T, String> {
        toml::from_str(self.front).map_err(|error| toml_mistake(self.file, self.front, 1, &error))
    }

    /// Returns the position of a TOML value: "places/pai.md, line 9".
    pub(super) fn place_of(&self, at: &Range<usize>) -> String {
        let line = 2 + lines_before(self.front, at.start);
        format!("{}, line {line}", self.file)
    }

    /// Returns the position of a byte of the text: "articles/news/a-new-streetcar.md, line 9".
    pub(super) fn place_in_body(&self, at: usize) -> String {
        let line = self.body_line + lines_before(self.body, at);
        format!("{}, line {line}", self.file)
    }

    pub(super) fn mistake<T>(&self, value: &Spanned<T>, why: &str) -> String {
        format!("{}: {why}", self.place_of(&value.span()))
    }

    pub(super) fn picture(&self, picture: Option<&Spanned<String>>) -> Option<Picture> {
        picture.map(|picture| self.named(picture))
    }

    /// Returns the picture in a value.
    pub(super) fn named(&self, picture: &Spanned<String>) -> Picture {
        Picture {
            named_at: self.place_of(&picture.span()),
            path: picture.get_ref().clone(),
        }
    }

    /// Parses a time of publication; records a mistake if it is invalid.
    pub(super) fn instant(
        &self,
        what: &str,
        at: &Spanned<Datetime>,
        mistakes: &mut Vec<String>,
    ) -> Option<DateTime<Utc>> {
        let found = instant(at.get_ref());
        if found.is_none() {
            let why = format!("{what} must be a date, or a date and time with its offset");
            mistakes.push(self.mistake(at, &why));
        }
        found
    }
}

fn parts(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(FENCE)?.strip_prefix('\n')?;
    rest.split_once("\n+++\n")
        .or_else(|| rest.strip_suffix("\n+++").map(|front| (front, "")))
}

/// A date alone means noon UTC, which is the same date in all time zones of the Americas and Europe.
fn instant(at: &Datetime) -> Option<DateTime<Utc>> {
    if at.time.is_some() {
        return with_offset(at);
    }
    let noon = NaiveTime::from_hms_opt(12, 0, 0)?;
    Some(local(at, noon)?.and_utc())
}

/// Parses a date and time with an offset.
pub(super) fn with_offset(at: &Datetime) -> Option<DateTime<Utc>> {
    let at = DateTime::parse_from_rfc3339(&at.to_string()).ok()?;
    Some(at.to_utc())
}

/// Parses a local time; a date alone means `clock` on that day.
pub(crate) fn local(at: &Datetime, clock: NaiveTime) -> Option<NaiveDateTime> {
    if at.offset.is_some() {
        return None;
    }
    let date: NaiveDate = at.date?.to_string().parse().ok()?;
    match at.time {
        None => Some(date.and_time(clock)),
        Some(time) => Some(date.and_time(time.to_string().parse().ok()?)),
    }
}

/// Formats a TOML error with its line; `above` is the number of lines that precede the text in its file.
pub(crate) fn toml_mistake(
    file: &str,
    text: &str,
    above: usize,
    error: &toml::de::Error,
) -> String {
    let line = error.span().map_or(0, |at| lines_before(text, at.start));
    format!("{file}, line {}: {}", above + line + 1, error.message())
}

/// The mistake of a file name that is not a valid slug.
pub(super) fn no_slug(file: &str) -> String {
    format!("{file}: the file's name is no slug: lower case, digits and hyphens")
}

/// Returns the number of complete lines before a byte of a text.
pub(crate) fn lines_before(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count()
}
