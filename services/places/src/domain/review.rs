//! Editorial reviews: Markdown from the publisher, sanitised HTML to the reader.

use chrono::NaiveDate;
use pulldown_cmark::{Event, Parser, html};

use super::text::line;

/// What the magazine says of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Review {
    /// Sanitised: it may go into a page as it is.
    pub(crate) html: String,
    pub(crate) author: String,
    pub(crate) date: NaiveDate,
}

impl Review {
    /// Checks a review and renders it. HTML within the Markdown is dropped, and what is rendered is
    /// sanitised all the same.
    pub(crate) fn parse(markdown: &str, author: &str, date: &str) -> Result<Self, String> {
        let author = line("review's author", author)?;
        let date = NaiveDate::parse_from_str(date, "%Y-%m-%d")
            .map_err(|_| format!("the review's date {date:?} is not YYYY-MM-DD"))?;
        let text = Parser::new(markdown)
            .filter(|event| !matches!(event, Event::Html(_) | Event::InlineHtml(_)));
        let mut rendered = String::with_capacity(markdown.len() * 2);
        html::push_html(&mut rendered, text);
        Ok(Self {
            html: ammonia::clean(&rendered),
            author,
            date,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html_that_runs_nothing() {
        let review = Review::parse(
            "Good *arepas*.\n\n<script>alert(1)</script>[x](javascript:alert(1))<b onclick=x>",
            "Ada",
            "2026-05-03",
        )
        .expect("valid");
        assert!(
            review.html.starts_with("<p>Good <em>arepas</em>.</p>"),
            "{}",
            review.html
        );
        for bad in ["script", "onclick"] {
            assert!(!review.html.contains(bad), "{}", review.html);
        }
    }

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
