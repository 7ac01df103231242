//! Publishers' text: Markdown, rendered to HTML that may go into a page as it is.

use pulldown_cmark::{Event, Options, Parser, html};

/// Renders Markdown. HTML within it is dropped, and what is rendered is sanitised all the same.
#[must_use]
pub fn render(markdown: &str) -> String {
    let text = Parser::new_ext(
        markdown,
        Options::ENABLE_TABLES | Options::ENABLE_SMART_PUNCTUATION,
    )
    .filter(|event| !matches!(event, Event::Html(_) | Event::InlineHtml(_)));
    let mut rendered = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut rendered, text);
    ammonia::clean(&rendered)
}

/// The text of sanitised HTML, without its tags.
#[must_use]
pub fn plain(html: &str) -> String {
    let escaped = ammonia::Builder::empty().clean(html).to_string();
    html_escape::decode_html_entities(&escaped).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_read_without_its_tags() {
        let html = render("Fish & *chips*.\n\n## Later\n\n5 < 6");
        let text = plain(&html);
        let lines: Vec<_> = text.split_whitespace().collect();
        assert_eq!(lines.join(" "), "Fish & chips. Later 5 < 6");
    }

    #[test]
    fn markdown_becomes_html_that_runs_nothing() {
        let html = render(
            "Good *arepas*.\n\n<script>alert(1)</script>[x](javascript:alert(1))<b onclick=x>",
        );
        assert!(html.starts_with("<p>Good <em>arepas</em>.</p>"), "{html}");
        for bad in ["script", "onclick"] {
            assert!(!html.contains(bad), "{html}");
        }
    }
}
