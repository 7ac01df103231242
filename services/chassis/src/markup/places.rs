//! Places that a text names as `[[place:slug]]` or `[[place:slug|other words]]`, or by their exact names.

use std::{borrow::Cow, cmp::Reverse, collections::BTreeSet, ops::Range};

use pulldown_cmark::{
    BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream,
};

use super::names::{Verbatim, phrases_of, position, typographic};

/// The extensions of Markdown that publishers' texts may use.
pub(super) const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_SMART_PUNCTUATION);

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
    TextMergeStream::new(parser).collect()
}

/// Returns the phrases of a text that can be names of places: two to six words, of which the first and the last begin
/// with a capital letter or a digit. Headings, links and code contain none.
#[must_use]
pub fn phrases(markdown: &str) -> BTreeSet<String> {
    let mut phrases = BTreeSet::new();
    let mut verbatim = Verbatim::default();
    for event in parse(markdown) {
        verbatim.pass(&event);
        if let Event::Text(text) = event
            && !verbatim.is_open()
        {
            phrases.extend(phrases_of(&text));
        }
    }
    phrases
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
    /// Places whose names are not linked yet, the longest name first.
    names: Vec<LinkedPlace>,
    /// Places whose names are linked.
    named: Vec<i64>,
    verbatim: Verbatim,
}

/// Replaces references to places by links with the place's id. After the block that first refers to a place, an empty
/// element marks the position of the place's card. The first occurrence of each other name in `names` becomes a link
/// without a card. Returns the events, and the ids of the places in the order of their references, then of their names;
/// or the slugs that `find` does not find.
pub(super) fn with_links<'a>(
    events: Vec<Event<'a>>,
    find: &dyn Fn(&str) -> Option<LinkedPlace>,
    names: &[LinkedPlace],
) -> Result<(Vec<Event<'a>>, Vec<i64>), Vec<String>> {
    let referred: BTreeSet<i64> = events
        .iter()
        .filter_map(|event| Some(find(parts(address_of(event)?)?.0)?.id))
        .collect();
    let others = names.iter().filter(|place| !referred.contains(&place.id));
    let mut names: Vec<LinkedPlace> = others
        .map(|place| LinkedPlace {
            name: typographic(&place.name),
            ..place.clone()
        })
        .collect();
    names.sort_by_key(|place| Reverse(place.name.len()));
    let mut linker = Linker {
        names,
        named: Vec::new(),
        verbatim: Verbatim::default(),
        find,
        shown: Vec::with_capacity(events.len()),
        depth: 0,
        ids: Vec::new(),
        with_cards: 0,
        unknown: Vec::new(),
    };
    let mut events = events.into_iter();
    while let Some(event) = events.next() {
        let Some(reference) = address_of(&event) else {
            linker.pass(event);
            continue;
        };
        // The reference's own words and the end of the link.
        for inner in events.by_ref() {
            if inner == Event::End(TagEnd::Link) {
                break;
            }
        }
        linker.link(reference);
        if let Some(next) = events.next() {
            linker.pass(without_bracket(next));
        }
    }
    if linker.unknown.is_empty() {
        let ids = linker.ids.into_iter().chain(linker.named);
        Ok((linker.shown, ids.collect()))
    } else {
        Err(linker.unknown)
    }
}

/// Returns the reference with which a link begins, if it is a reference to a place.
fn address_of<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Start(Tag::Link {
            link_type: LinkType::ShortcutUnknown,
            dest_url,
            ..
        }) => Some(dest_url),
        _ => None,
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
        self.verbatim.pass(&event);
        match event {
            Event::Text(text) if !self.verbatim.is_open() && !self.names.is_empty() => {
                self.text(&text);
            }
            event => self.shown.push(event),
        }
        if self.depth == 0 {
            for id in &self.ids[self.with_cards..] {
                let card = format!("<aside data-place=\"{id}\"></aside>\n");
                self.shown.push(Event::Html(card.into()));
            }
            self.with_cards = self.ids.len();
        }
    }
}

impl Linker<'_, '_> {
    /// Adds a text with links at the names of places.
    fn text(&mut self, text: &str) {
        let mut found = self.names.iter().enumerate();
        let found = found.find_map(|(index, place)| Some((index, position(text, &place.name)?)));
        let Some((index, at)) = found else {
            if !text.is_empty() {
                self.shown.push(Event::Text(text.to_owned().into()));
            }
            return;
        };
        let place = self.names.remove(index);
        let (before, rest) = text.split_at(at);
        let (name, after) = rest.split_at(place.name.len());
        self.text(before);
        let link = place.link(name);
        self.shown.push(Event::InlineHtml(link.into()));
        self.named.push(place.id);
        self.text(after);
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
        render_with(markdown, &place, &[])
            .expect("known places")
            .html
    }

    fn named(id: i64, name: &str) -> LinkedPlace {
        LinkedPlace {
            id,
            name: name.to_owned(),
            path: format!("/cafes/{id}/"),
        }
    }

    /// Renders a text with these names; returns it with links as "{id words}".
    fn named_in(markdown: &str, names: &[LinkedPlace]) -> (String, Vec<i64>) {
        let rendered = render_with(markdown, &place, names).expect("known places");
        let begin = |place: &LinkedPlace| {
            let id = place.id;
            format!("<a href=\"/cafes/{id}/\" data-place=\"{id}\" rel=\"noopener noreferrer\">")
        };
        let html = names.iter().fold(rendered.html, |html, place| {
            html.replace(&begin(place), &format!("{{{} ", place.id))
        });
        (plain(&html).trim().to_owned(), rendered.listing_ids)
    }

    #[test]
    fn the_first_occurrence_of_a_name_is_a_link_and_the_longest_name_wins() {
        let names = [
            named(1, "Tin Kettle"),
            named(2, "Tin Kettle Coffee"),
            named(3, "Stavri's Window"),
        ];
        for (text, shown, ids) in [
            (
                "At Tin Kettle Coffee, then Tin Kettle, then Tin Kettle Coffee.",
                "At {2 Tin Kettle Coffee, then {1 Tin Kettle, then Tin Kettle Coffee.",
                vec![2, 1],
            ),
            // A name is whole words, in its own case, outside of headings, links and code.
            (
                "Tin Kettles and tin kettle.",
                "Tin Kettles and tin kettle.",
                vec![],
            ),
            (
                "# Tin Kettle\n\n`Tin Kettle`",
                "Tin Kettle\n`Tin Kettle`",
                vec![],
            ),
            ("[Tin Kettle](https://a.example/)", "Tin Kettle", vec![]),
            ("*Tin Kettle’s* tea", "{1 Tin Kettle’s tea", vec![1]),
            // As it is written in the text, not as in the guide.
            ("Stavri's Window.", "{3 Stavri’s Window.", vec![3]),
        ] {
            let (found, found_ids) = named_in(text, &names);
            assert_eq!(found.replace('`', ""), shown.replace('`', ""), "{text}");
            assert_eq!(found_ids, ids, "{text}");
        }
    }

    #[test]
    fn a_place_with_a_reference_is_not_linked_again_and_names_have_no_cards() {
        let names = [named(7, "The Longwave"), named(1, "Tin Kettle")];
        let text = "The Longwave, Tin Kettle.\n\n[[place:longwave]]";
        let rendered = render_with(text, &place, &names).expect("known places");
        assert_eq!(rendered.listing_ids, [7, 1]);
        assert_eq!(rendered.html.matches("<aside").count(), 1);
        assert!(rendered.html.starts_with("<p>The Longwave, <a"));
    }

    #[test]
    fn phrases_are_two_to_six_words_that_begin_and_end_like_names() {
        let text = "At The Rook & Rushlight's bar, 7 West Café!\n\n## Old Town\n\n`New Town` [Far Town](/x)";
        let found = phrases(text);
        for phrase in ["The Rook & Rushlight", "7 West Café", "West Café"] {
            assert!(found.contains(phrase), "{phrase}: {found:?}");
        }
        for phrase in ["Old Town", "New Town", "Far Town", "The Rook &", "West"] {
            assert!(!found.contains(phrase), "{phrase}: {found:?}");
        }
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
        let rendered = render_with("[[place:fish]] and [[place:longwave]]", &place, &[]);
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
        let unknown = render_with(text, &place, &[]).expect_err("unknown places");
        assert_eq!(unknown, ["nowhere", "Elsewhere!"]);
        let found = mentions(text);
        let slugs: Vec<_> = found.iter().map(|mention| &*mention.slug).collect();
        assert_eq!(slugs, ["nowhere", "longwave", "Elsewhere!"]);
        for mention in found {
            assert!(text[mention.at..].starts_with("[[place:"), "{mention:?}");
        }
    }
}
