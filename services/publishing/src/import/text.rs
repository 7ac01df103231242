//! Texts of other systems: HTML, or plain text with entities.

use std::{rc::Rc, sync::LazyLock};

use htmd::{HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;

/// Skips elements without visible text.
static CONVERTER: LazyLock<HtmlToMarkdown> = LazyLock::new(|| {
    HtmlToMarkdown::builder()
        .skip_tags(vec!["script", "style", "iframe", "object", "svg", "form"])
        .build()
});
/// Maximum length of an excerpt generated from a text, in characters.
const EXCERPT: usize = 200;
/// Maximum nesting depth of elements, as texts are processed by recursive functions.
const MAX_DEPTH: usize = 200;
/// Maximum number of open elements in HTML with unclosed tags.
const MAX_OPEN: usize = 2_000;

/// Converts a text to Markdown. The paragraphs and lines of plain text are preserved.
pub(super) fn markdown(text: &str) -> Result<String, String> {
    Ok(CONVERTER.tree_to_markdown(&tree(&CONVERTER, &html(text))?))
}

/// Converts HTML or plain text to HTML.
pub(super) fn html(text: &str) -> String {
    if has_tags(text) {
        text.to_owned()
    } else {
        paragraphs(text)
    }
}

/// Converts plain text to HTML, even if it looks like HTML.
pub(super) fn html_of_plain(text: &str) -> String {
    paragraphs(&html_escape::encode_text(text))
}

/// Parses the elements of a text, or returns the reason why it cannot be read.
pub(super) fn tree(converter: &HtmlToMarkdown, html: &str) -> Result<Rc<Node>, String> {
    let deep = || format!("the elements of its text are nested more than {MAX_DEPTH} deep");
    if opened(html) > MAX_OPEN {
        return Err(deep());
    }
    let tree = converter.html_to_tree(html);
    let tree = tree.map_err(|error| format!("its text cannot be read: {error}"))?;
    let is_deep = descendants(&tree).any(|(_, depth)| depth > MAX_DEPTH);
    if is_deep { Err(deep()) } else { Ok(tree) }
}

/// Elements that are void or whose end tag is optional.
const ENDED: [&str; 24] = [
    "area", "base", "br", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input", "li",
    "link", "meta", "option", "p", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "wbr",
];

/// Returns the maximum number of elements open at the same time. Counted before parsing, because the parser's time per
/// element grows with the number of open elements.
fn opened(html: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for part in html.split('<').skip(1) {
        let (is_end, tag) = match part.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, part),
        };
        let end = tag.find(|sign: char| !sign.is_ascii_alphanumeric());
        let tag = tag[..end.unwrap_or(tag.len())].to_ascii_lowercase();
        if tag.is_empty() || ENDED.contains(&tag.as_str()) {
            continue;
        }
        open = if is_end {
            open.saturating_sub(1)
        } else {
            open + 1
        };
        most = most.max(open);
    }
    most
}

/// Returns the descendants of a node with their depths, in document order and without recursion.
fn descendants(node: &Rc<Node>) -> impl Iterator<Item = (Rc<Node>, usize)> {
    let mut waiting: Vec<(Rc<Node>, usize)> = Vec::new();
    let below = |node: &Rc<Node>, depth: usize, waiting: &mut Vec<(Rc<Node>, usize)>| {
        let children = node.children.borrow();
        waiting.extend(children.iter().rev().map(|child| (Rc::clone(child), depth)));
    };
    below(node, 1, &mut waiting);
    std::iter::from_fn(move || {
        let (node, depth) = waiting.pop()?;
        below(&node, depth + 1, &mut waiting);
        Some((node, depth))
    })
}

pub(super) fn tag(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

pub(super) fn attribute(node: &Node, name: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attributes = attrs.borrow();
    let found = attributes.iter().find(|one| &*one.name.local == name);
    found.map(|one| one.value.to_string())
}

pub(super) fn children(node: &Node) -> Vec<Rc<Node>> {
    node.children.borrow().clone()
}

/// Whether a node is or contains an element with this tag.
pub(super) fn has(node: &Rc<Node>, wanted: &str) -> bool {
    tag(node) == Some(wanted) || descendants(node).any(|(node, _)| tag(&node) == Some(wanted))
}

/// Returns a node's elements with a tag, in document order.
pub(super) fn all(node: &Rc<Node>, wanted: &str) -> Vec<Rc<Node>> {
    let found = descendants(node).map(|(node, _)| node);
    found.filter(|node| tag(node) == Some(wanted)).collect()
}

/// Whether a node is within an element with this tag.
pub(super) fn is_within(node: &Rc<Node>, wanted: &str) -> bool {
    let parent = |node: &Rc<Node>| {
        let parent = node.parent.take();
        let found = parent.as_ref().and_then(std::rc::Weak::upgrade);
        node.parent.set(parent);
        found
    };
    std::iter::successors(parent(node), parent).any(|above| tag(&above) == Some(wanted))
}

/// Returns the plain text of a node.
pub(super) fn content(node: &Rc<Node>) -> String {
    let mut text = String::new();
    for (node, _) in descendants(node) {
        match &node.data {
            NodeData::Text { contents } => text.push_str(&contents.borrow()),
            NodeData::Element { name, .. } if &*name.local == "br" => text.push(' '),
            _ => {}
        }
    }
    text
}

/// Elements that are not part of the sentences of a text.
const BESIDE: [&str; 15] = [
    "figure",
    "figcaption",
    "pre",
    "table",
    "script",
    "style",
    "iframe",
    "form",
    "nav",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
];

/// Classes of other systems' embed elements.
const EMBEDS: [&str; 4] = [
    "wp-block-embed",
    "kg-audio-card",
    "kg-file-card",
    "kg-signup-card",
];

/// Returns the sentences of a text in one line, without headings, captions, tables and embeds. If nothing remains,
/// returns the complete text.
pub(super) fn prose(tree: &Rc<Node>) -> String {
    let mut text = String::new();
    let mut beside_from = None;
    for (node, depth) in descendants(tree) {
        if beside_from.is_some_and(|from| depth > from) {
            continue;
        }
        beside_from = None;
        match (&node.data, tag(&node)) {
            (NodeData::Text { contents }, _) => text.push_str(&contents.borrow()),
            (_, Some(tag)) => {
                let is_embed = attribute(&node, "class")
                    .is_some_and(|classes| EMBEDS.iter().any(|embed| classes.contains(embed)));
                if BESIDE.contains(&tag) || is_embed {
                    beside_from = Some(depth);
                }
                if matches!(tag, "p" | "div" | "br" | "li" | "blockquote" | "td") {
                    text.push(' ');
                }
            }
            _ => {}
        }
    }
    match one_line(&text) {
        nothing if nothing.is_empty() => one_line(&content(tree)),
        text => text,
    }
}

/// Escapes plain text for Markdown.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(
            character,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&'
        ) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Returns a text in one line, without tags and entities.
pub(super) fn line(text: &str) -> String {
    let text = if has_tags(text) {
        let spaced = text.replace('<', " <");
        ammonia::Builder::empty().clean(&spaced).to_string()
    } else {
        text.to_owned()
    };
    one_line(&html_escape::decode_html_entities(&text))
}

/// Returns plain text in one line with single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the beginning of a text, up to the end of a sentence or else of a word.
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
    fn a_text_that_is_nested_without_end_is_refused() {
        let within = format!("{}x{}", "<div>".repeat(300), "</div>".repeat(300));
        for html in ["<div>".repeat(100_000), "<b>x".repeat(100_000), within] {
            let refused = markdown(&html).expect_err("refused");
            assert!(refused.contains("nested more than 200 deep"), "{refused}");
        }
        // Void elements and elements with an optional end tag are not nested.
        assert!(markdown(&"<p>x<br><li>y".repeat(20_000)).is_ok());
        assert_eq!(escaped("a*b_[c] & <d>"), "a\\*b\\_\\[c\\] \\& \\<d\\>");
    }

    #[test]
    fn sentences_are_told_from_what_stands_beside_them() {
        let read = |html: &str| prose(&tree(&CONVERTER, html).expect("read"));
        assert_eq!(
            read(
                "<h2>Head</h2><figure><figcaption>x</figcaption></figure><p>One <b>two</b>.</p><p>Three<br>four.</p>\
                  <div class=\"wp-block-embed__wrapper\">https://v.example/</div>"
            ),
            "One two. Three four."
        );
        assert_eq!(read("<h2>Head</h2>"), "Head");
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
