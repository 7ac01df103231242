//! Places that a text names as `[[place:slug]]` or `[[place:slug|other words]]`.

use std::{borrow::Cow, ops::Range};

use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Parser, Tag, TagEnd};

use super::OPTIONS;

/// Beginning of a reference to a place.
const PREFIX: &str = "place:";

/// A reference to a place in Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The slug as written.
    pub slug: String,
    /// Offset of the reference in the Markdown, in bytes.
    pub at: usize,
}

/// A place that a text may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedPlace {
    /// The place's id.
    pub id: i64,
    /// The words of the link, if the text has no others.
    pub name: String,
    /// Path of the place's page.
    pub path: String,
}

/// Returns the references to places in Markdown, in their order. Code contains none.
#[must_use]
pub fn mentions(markdown: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut note = |link: BrokenLink<'_>| {
        let (slug, _) = reference(markdown, &link)?;
        let slug = slug.to_owned();
        let at = link.span.start - 1;
        found.push(Mention { slug, at });
        Some(resolved(&link))
    };
    // Reading the whole text calls `note`.
    Parser::new_with_broken_link_callback(markdown, OPTIONS, Some(&mut note)).for_each(drop);
    found
}

/// Parses Markdown so that references to places are links, which [`with_links`] replaces.
pub(super) fn parse(markdown: &str) -> Vec<Event<'_>> {
    let mut resolve = |link: BrokenLink<'_>| {
        reference(markdown, &link)?;
        Some(resolved(&link))
    };
    let parser = Parser::new_with_broken_link_callback(markdown, OPTIONS, Some(&mut resolve));
    parser.collect()
}

fn resolved<'a>(link: &BrokenLink<'_>) -> (CowStr<'a>, CowStr<'a>) {
    (link.reference.to_string().into(), CowStr::Borrowed(""))
}

/// Returns the slug and the words of a reference: the inner brackets of `[[place:slug|words]]` are a link without an
/// address.
fn reference<'a>(markdown: &'a str, link: &BrokenLink<'_>) -> Option<(&'a str, Option<&'a str>)> {
    let Range { start, end } = link.span.clone();
    let is_escaped = markdown[..start].ends_with("\\[");
    let has_brackets = markdown[..start].ends_with('[') && markdown[end..].starts_with(']');
    if link.link_type != LinkType::Shortcut || !has_brackets || is_escaped {
        return None;
    }
    let inner = markdown[link.span.clone()].strip_prefix('[')?;
    parts(inner.strip_suffix(']')?)
}

fn parts(inner: &str) -> Option<(&str, Option<&str>)> {
    let named = inner.strip_prefix(PREFIX)?;
    Some(match named.split_once('|') {
        Some((slug, words)) => (slug.trim(), Some(words.trim())),
        None => (named.trim(), None),
    })
}

/// The state of [`with_links`].
struct Linker<'a, 'f> {
    find: &'f dyn Fn(&str) -> Option<LinkedPlace>,
    shown: Vec<Event<'a>>,
    /// Number of open blocks and spans.
    depth: usize,
    /// The places named so far, in order.
    ids: Vec<i64>,
    /// The number of `ids` whose card has its position.
    with_cards: usize,
    /// Slugs of unknown places.
    unknown: Vec<String>,
}

/// Replaces references to places by links with the place's id. After the block that first names a place, an empty
/// element marks the position of the place's card. Returns the events, and the ids of the places in the order of
/// their names; or the slugs that `find` does not find.
pub(super) fn with_links<'a>(
    events: Vec<Event<'a>>,
    find: &dyn Fn(&str) -> Option<LinkedPlace>,
) -> Result<(Vec<Event<'a>>, Vec<i64>), Vec<String>> {
    let mut linker = Linker {
        find,
        shown: Vec::with_capacity(events.len()),
        depth: 0,
        ids: Vec::new(),
        with_cards: 0,
        unknown: Vec::new(),
    };
    let mut events = events.into_iter();
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Link {
                link_type: LinkType::ShortcutUnknown,
                dest_url,
                ..
            }) => {
                // The reference's own words and the end of the link.
                for inner in events.by_ref() {
                    if inner == Event::End(TagEnd::Link) {
                        break;
                    }
                }
                linker.link(&dest_url);
                if let Some(next) = events.next() {
                    linker.pass(without_bracket(next));
                }
            }
            event => linker.pass(event),
        }
    }
    if linker.unknown.is_empty() {
        Ok((linker.shown, linker.ids))
    } else {
        Err(linker.unknown)
    }
}

/// Removes the outer bracket after a reference.
fn without_bracket(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Text(text) => {
            let rest = text.strip_prefix(']').map(|rest| rest.to_owned().into());
            Event::Text(rest.unwrap_or(text))
        }
        event => event,
    }
}

impl<'a> Linker<'a, '_> {
    fn link(&mut self, reference: &str) {
        let Some((slug, words)) = parts(reference) else {
            return;
        };
        if let Some(Event::Text(text)) = self.shown.last_mut()
            && let Some(rest) = text.strip_suffix('[')
        {
            *text = rest.to_owned().into();
        }
        let Some(place) = (self.find)(slug) else {
            self.unknown.push(slug.to_owned());
            return;
        };
        let words = words.filter(|words| !words.is_empty());
        let words = words.map_or(Cow::Borrowed(&*place.name), Cow::Borrowed);
        self.shown
            .push(Event::InlineHtml(place.link(&words).into()));
        if !self.ids.contains(&place.id) {
            self.ids.push(place.id);
        }
    }

    fn pass(&mut self, event: Event<'a>) {
        match event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth -= 1,
            _ => {}
        }
        self.shown.push(event);
        if self.depth == 0 {
            for id in &self.ids[self.with_cards..] {
                let card = format!("<aside data-place=\"{id}\"></aside>\n");
                self.shown.push(Event::Html(card.into()));
            }
            self.with_cards = self.ids.len();
        }
    }
}

impl LinkedPlace {
    fn link(&self, words: &str) -> String {
        format!(
            "<a href=\"{}\" data-place=\"{}\">{}</a>",
            html_escape::encode_double_quoted_attribute(&self.path),
            self.id,
            html_escape::encode_text(words)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::{plain, render_with};

    fn place(slug: &str) -> Option<LinkedPlace> {
        let (id, name) = match slug {
            "longwave" => (7, "Longwave"),
            "fish" => (8, "Fish & <Chips>"),
            _ => return None,
        };
        Some(LinkedPlace {
            id,
            name: name.to_owned(),
            path: format!("/bars/{slug}/"),
        })
    }

    fn html(markdown: &str) -> String {
        render_with(markdown, &place).expect("known places").html
    }

    const LINK: &str =
        "<a href=\"/bars/longwave/\" data-place=\"7\" rel=\"noopener noreferrer\">Longwave</a>";
    const CARD: &str = "<aside data-place=\"7\"></aside>\n";

    #[test]
    fn a_named_place_is_a_link_and_its_card_follows_the_block() {
        assert_eq!(
            html("At [[place:longwave]], *late*.\n\nAgain [[place:longwave]]."),
            format!("<p>At {LINK}, <em>late</em>.</p>\n{CARD}<p>Again {LINK}.</p>\n")
        );
        let list = html("- one\n- *at [[place:longwave]]*\n\nAfter.");
        assert_eq!(
            list,
            format!(
                "<ul>\n<li>one</li>\n<li><em>at {LINK}</em></li>\n</ul>\n{CARD}<p>After.</p>\n"
            )
        );
        let rendered = render_with("[[place:fish]] and [[place:longwave]]", &place);
        assert_eq!(rendered.expect("known places").listing_ids, [8, 7]);
    }

    #[test]
    fn a_link_has_the_words_of_the_text_or_the_places_name() {
        let html = html("The [[place:longwave| listening bar’s ]] sofa, [[place:fish]].");
        assert_eq!(
            plain(&html).trim(),
            "The listening bar’s sofa, Fish & <Chips>."
        );
        assert!(!html.contains("<Chips>"), "{html}");
    }

    #[test]
    fn code_and_other_brackets_are_left_alone() {
        for text in [
            "`[[place:longwave]]`",
            "    [[place:longwave]]",
            "\\[[place:longwave]]",
            "[place:longwave]",
            "[x](place:longwave)",
            "[[longwave]]",
        ] {
            let html = html(text);
            assert!(!html.contains("data-place"), "{text}: {html}");
            assert_eq!(mentions(text), []);
        }
        assert_eq!(plain(&html("[[1]](https://a.example/)")).trim(), "[1]");
    }

    #[test]
    fn unknown_places_are_reported_and_mentions_have_their_offsets() {
        let text = "One.\n\n[[place:nowhere]] é [[place:longwave]] [[place:Elsewhere!|x]]";
        let unknown = render_with(text, &place).expect_err("unknown places");
        assert_eq!(unknown, ["nowhere", "Elsewhere!"]);
        let found = mentions(text);
        let slugs: Vec<_> = found.iter().map(|mention| &*mention.slug).collect();
        assert_eq!(slugs, ["nowhere", "longwave", "Elsewhere!"]);
        for mention in found {
            assert!(text[mention.at..].starts_with("[[place:"), "{mention:?}");
        }
    }
}
