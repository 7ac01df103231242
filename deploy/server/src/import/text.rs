//! Texts of other systems: HTML, or plain text with entities.

use std::sync::LazyLock;

use htmd::HtmlToMarkdown;

/// What no text shows.
static CONVERTER: LazyLock<HtmlToMarkdown> = LazyLock::new(|| {
    HtmlToMarkdown::builder()
        .skip_tags(vec!["script", "style", "iframe", "object", "svg", "form"])
        .build()
});
/// The longest excerpt that is made of a text, in characters.
const EXCERPT: usize = 200;

/// A text as Markdown. Plain text keeps its paragraphs and its lines.
pub(super) fn markdown(text: &str) -> Result<String, String> {
    let html = if has_tags(text) {
        text.to_owned()
    } else {
        paragraphs(text)
    };
    let converted = CONVERTER.convert(&html);
    converted.map_err(|error| format!("its text cannot be read: {error}"))
}

/// A text in one line, without tags and entities.
pub(super) fn line(text: &str) -> String {
    let text = if has_tags(text) {
        let spaced = text.replace('<', " <");
        ammonia::Builder::empty().clean(&spaced).to_string()
    } else {
        text.to_owned()
    };
    let text = html_escape::decode_html_entities(&text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text, up to the end of a sentence if there is one, else of a word.
pub(super) fn excerpt(text: &str) -> String {
    let text = line(text);
    let Some((end, _)) = text.char_indices().nth(EXCERPT) else {
        return text;
    };
    let begin = &text[..end];
    let sentence = [". ", "! ", "? "]
        .iter()
        .filter_map(|mark| begin.rfind(mark));
    if let Some(end) = sentence.max().filter(|at| *at > end / 3) {
        return text[..=end].to_owned();
    }
    let word = begin.rfind(' ').unwrap_or(end);
    format!(
        "{}…",
        begin[..word].trim_end_matches([',', ';', ':', '-', '–'])
    )
}

fn has_tags(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        let opens = after
            .trim_start_matches('/')
            .starts_with(|letter: char| letter.is_ascii_alphabetic());
        if opens && after.contains('>') {
            return true;
        }
        rest = after;
    }
    false
}

fn paragraphs(text: &str) -> String {
    let text = html_escape::decode_html_entities(text);
    let text = text.replace("\r\n", "\n");
    let parts = text.split("\n\n").map(str::trim);
    let parts = parts.filter(|part| !part.is_empty()).map(|part| {
        let lines = html_escape::encode_text(part).replace('\n', "<br>");
        format!("<p>{lines}</p>")
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use chassis::markup;

    use super::*;

    fn shown(text: &str) -> String {
        markup::render(&markdown(text).expect("converted"))
    }

    #[test]
    fn plain_text_is_shown_as_it_stands() {
        assert_eq!(
            shown("Rock & roll\nat 8 * 2\n\n# 1 bar in town &amp; more"),
            "<p>Rock &amp; roll<br>\nat 8 * 2</p>\n<p># 1 bar in town &amp; more</p>\n"
        );
        assert_eq!(shown("5 < 6 > 4"), "<p>5 &lt; 6 &gt; 4</p>\n");
    }

    #[test]
    fn html_keeps_what_readers_see_and_nothing_runs() {
        let html = shown(
            "<p>Come <b>early</b> to <a href=\"https://a.example/\">the hall</a>.</p><ul><li>Food</li></ul>\
             <script>alert(1)</script><a href=\"javascript:alert(1)\">x</a>",
        );
        assert!(html.contains("<strong>early</strong>"), "{html}");
        assert!(html.contains("href=\"https://a.example/\""), "{html}");
        assert!(html.contains("<li>Food</li>"), "{html}");
        assert!(!html.contains("alert"), "{html}");
    }

    #[test]
    fn a_line_has_neither_tags_nor_entities() {
        assert_eq!(line("<b>Rock</b><i>&amp;</i>\n roll"), "Rock & roll");
        assert_eq!(line("AT&amp;T &lt;live&gt;"), "AT&T <live>");
    }

    #[test]
    fn an_excerpt_ends_with_a_sentence_or_a_word() {
        assert_eq!(excerpt("Short."), "Short.");
        let sentences = format!("{} one. {}", "word ".repeat(20), "other ".repeat(40));
        assert!(excerpt(&sentences).ends_with("one."));
        let words = "word ".repeat(80);
        let cut = excerpt(&words);
        assert!(
            cut.ends_with("word…") && cut.chars().count() <= EXCERPT,
            "{cut}"
        );
    }
}
