//! Splits text into paragraphs like WordPress's `wpautop`, for posts written before the block editor.

/// Elements that are not part of a paragraph.
const BLOCKS: [&str; 40] = [
    "address",
    "article",
    "aside",
    "audio",
    "blockquote",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "iframe",
    "li",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];
/// Elements whose lines remain unchanged.
const AS_WRITTEN: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Blocks that contain text without paragraphs.
const HOLD_TEXT: [&str; 17] = [
    "caption",
    "dd",
    "dt",
    "figcaption",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "iframe",
    "li",
    "p",
    "summary",
    "td",
    "th",
    "video",
];

/// Converts a text to HTML: blank lines separate paragraphs, and other line breaks become `<br>`.
pub(super) fn paragraphs(text: &str) -> String {
    let mut html = String::with_capacity(text.len() * 2);
    let mut lines = String::new();
    // The current block, if it contains text.
    let mut within: Option<String> = None;
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        lines.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = end_of_tag(rest);
        let (tag, after) = rest.split_at(end);
        let name = tag_name(tag);
        if AS_WRITTEN.contains(&name.as_str()) && !tag.starts_with("</") {
            flush(&mut lines, within.as_deref(), &mut html);
            let whole = find_ignoring_case(rest, &format!("</{name}"));
            let whole = whole.map_or(rest.len(), |at| at + end_of_tag(&rest[at..]));
            html.push_str(&rest[..whole]);
            rest = &rest[whole..];
            continue;
        }
        if BLOCKS.contains(&name.as_str()) {
            flush(&mut lines, within.as_deref(), &mut html);
            html.push_str(tag);
            let holds_text = HOLD_TEXT.contains(&name.as_str()) && !tag.starts_with("</");
            within = holds_text.then_some(name);
        } else if tag.starts_with("<!--") {
            // Comments are invisible markers.
            lines.push_str("\n\n");
        } else {
            // Line ends within a tag are not part of the text.
            lines.push_str(&tag.replace('\n', " "));
        }
        rest = after;
    }
    lines.push_str(rest);
    flush(&mut lines, within.as_deref(), &mut html);
    html
}

/// Returns the length of a tag or comment at the beginning of a text; 1 if it is neither.
fn end_of_tag(text: &str) -> usize {
    if text.starts_with("<!--") {
        return text.find("-->").map_or(text.len(), |at| at + 3);
    }
    let is_tag = text[1..]
        .trim_start_matches('/')
        .starts_with(|first: char| first.is_ascii_alphabetic());
    if !is_tag {
        return 1;
    }
    let mut quote = None;
    for (at, sign) in text.char_indices() {
        match (sign, quote) {
            ('"' | '\'', None) => quote = Some(sign),
            (sign, Some(open)) if sign == open => quote = None,
            ('>', None) => return at + 1,
            _ => {}
        }
    }
    // For an unclosed quotation mark, the tag ends at the next possible position.
    text.find('>').map_or(text.len(), |at| at + 1)
}

fn tag_name(tag: &str) -> String {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|sign: char| !sign.is_ascii_alphanumeric());
    name[..end.unwrap_or(name.len())].to_ascii_lowercase()
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let text = text.as_bytes();
    text.windows(wanted.len())
        .position(|part| part.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// Writes the collected lines as paragraphs or as the text of a block.
fn flush(lines: &mut String, within: Option<&str>, html: &mut String) {
    let text = std::mem::take(lines).replace("\r\n", "\n");
    match within {
        Some("p") => return html.push_str(&text.trim().replace('\n', "<br>")),
        Some(_) => return html.push_str(&text),
        None => {}
    }
    let mut paragraph = String::new();
    let end = |paragraph: &mut String, html: &mut String| {
        let text = std::mem::take(paragraph);
        let text = text.trim();
        if is_address(text) {
            html.push_str("<div class=\"wp-block-embed__wrapper\">");
            html.push_str(text);
            html.push_str("</div>");
        } else if !text.is_empty() {
            html.push_str("<p>");
            html.push_str(&text.replace('\n', "<br>"));
            html.push_str("</p>");
        }
    };
    for line in text.lines() {
        // An address alone on its line is an embed.
        if line.trim().is_empty() || is_address(line.trim()) {
            end(&mut paragraph, html);
            paragraph.push_str(line.trim());
            end(&mut paragraph, html);
        } else {
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    end(&mut paragraph, html);
}

fn is_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://"))
        && !text.contains(|sign: char| sign.is_whitespace() || matches!(sign, '<' | '"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_paragraphs_and_line_ends_count() {
        assert_eq!(
            paragraphs(
                "One\ntwo <em>three</em>\r\n\r\n\r\nFour\n<a href=\"x\"\n title='>'>five</a>"
            ),
            "<p>One<br>two <em>three</em></p><p>Four<br><a href=\"x\"  title='>'>five</a></p>"
        );
        assert_eq!(paragraphs(" \n\n "), "");
    }

    #[test]
    fn blocks_are_no_part_of_a_paragraph() {
        assert_eq!(
            paragraphs("Before\n<h2>Head</h2>\nAfter\n\n<ul>\n<li>one</li>\n</ul>\nEnd"),
            "<p>Before</p><h2>Head</h2><p>After</p><ul><li>one</li></ul><p>End</p>"
        );
        assert_eq!(
            paragraphs("<PRE>a\n\n  b</Pre>\n\nc"),
            "<PRE>a\n\n  b</Pre><p>c</p>"
        );
        assert_eq!(
            paragraphs("<p>One\ntwo</p>\nthree<li>four\nfive"),
            "<p>One<br>two</p><p>three</p><li>four\nfive"
        );
        assert_eq!(paragraphs("a<!--more-->b"), "<p>a</p><p>b</p>");
    }

    #[test]
    fn an_address_alone_on_its_line_is_embedded() {
        assert_eq!(
            paragraphs("See:\nhttps://v.example/1\nfine https://v.example/2"),
            "<p>See:</p><div class=\"wp-block-embed__wrapper\">https://v.example/1</div><p>fine https://v.example/2</p>"
        );
    }

    #[test]
    fn signs_that_open_nothing_are_text() {
        assert_eq!(paragraphs("a < b > c <"), "<p>a < b > c <</p>");
        assert_eq!(paragraphs("<b title=\"x>y"), "<p><b title=\"x>y</p>");
        assert_eq!(paragraphs("<pre>x"), "<pre>x");
        assert_eq!(paragraphs("<!-- x"), "");
    }
}
