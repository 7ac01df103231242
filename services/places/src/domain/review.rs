//! Editorial reviews: Markdown from the publisher is rendered as sanitised HTML for readers.

use chassis::{
    markup,
    text::{first_sentence, line},
};
use chrono::NaiveDate;

/// The editors' review of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Review {
    /// Sanitised HTML, safe to include in a page.
    pub(crate) html: String,
    pub(crate) author: String,
    pub(crate) date: NaiveDate,
}

impl Review {
    /// Validates and renders a review.
    pub(crate) fn parse(markdown: &str, author: &str, date: &str) -> Result<Self, String> {
        let author = line("review's author", author)?;
        let date = NaiveDate::parse_from_str(date, "%Y-%m-%d")
            .map_err(|_| format!("the review's date {date:?} is not YYYY-MM-DD"))?;
        Ok(Self {
            html: markup::render(markdown),
            author,
            date,
        })
    }

    /// Returns the first sentence, which lists quote; `None` without text.
    pub(crate) fn line(&self) -> Option<String> {
        first_sentence(&markup::first_paragraph(&self.html))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_needs_author_and_date() {
        for author in [" ", "A\0da", &"a".repeat(256)] {
            assert!(
                Review::parse("x", author, "2026-05-03").is_err(),
                "{author:?}"
            );
        }
        assert!(Review::parse("x", "Ada", "03.05.2026").is_err());
    }
}
