//! Ghost's cards (elements with `kg-` classes) that need special handling.

use std::{rc::Rc, sync::Mutex};

use htmd::{
    Element, Node,
    element_handler::{HandlerResult, Handlers},
};

use super::{
    super::super::text::{self, attribute, one_line},
    figures, links,
    state::State,
};

/// Parts of players, and cards that were filled by Ghost or by readers.
const UNSEEN: [&str; 4] = [
    "kg-audio-player",
    "kg-signup-card",
    "kg-video-overlay",
    "kg-video-player-container",
];

fn has_class(node: &Node, wanted: &str) -> bool {
    let classes = attribute(node, "class").unwrap_or_default();
    classes.split_whitespace().any(|class| class == wanted)
}

/// Returns the first part of a card with a class.
fn part(card: &Rc<Node>, class: &str) -> Option<Rc<Node>> {
    let mut parts = text::all(card, "div").into_iter();
    parts.find(|part| has_class(part, class))
}

/// Returns the text of a card's part; empty if it has none.
fn words(card: &Rc<Node>, class: &str) -> String {
    let part = part(card, class).map(|part| text::content(&part));
    one_line(&part.unwrap_or_default())
}

/// Converts a figure, or a bookmark to a link without pictures.
pub(super) fn figure(
    state: &Mutex<State>,
    handlers: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    if has_class(element.node, "kg-bookmark-card") {
        let link = text::all(element.node, "a").into_iter().next()?;
        return handlers.handle(&link);
    }
    Some(figures::figure(state, handlers, element))
}

/// Converts a link. The link text of a bookmark or file is its title.
pub(super) fn link(
    state: &Mutex<State>,
    handlers: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    let node = element.node;
    let titles = [
        ("kg-bookmark-container", "kg-bookmark-title"),
        ("kg-file-card-container", "kg-file-card-title"),
    ];
    let title = titles.iter().find(|(link, _)| has_class(node, link));
    let Some((_, title)) = title else {
        return links::link(state, handlers, element);
    };
    let address = attribute(node, "href").unwrap_or_default();
    links::paragraph(state, &address, &words(node, title))
}

/// Converts a block of text or a card.
pub(super) fn block(
    state: &Mutex<State>,
    handlers: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    let node = element.node;
    if UNSEEN.iter().any(|class| has_class(node, class)) {
        return None;
    }
    if has_class(node, "kg-audio-card") {
        let player = text::all(node, "audio").into_iter().next()?;
        let address = attribute(&player, "src")?;
        return links::embedded(state, &address, &words(node, "kg-audio-title"));
    }
    if has_class(node, "kg-callout-card") {
        let said = part(node, "kg-callout-text")?;
        let said = handlers.walk_children(&said).content;
        let sign = text::escaped(&words(node, "kg-callout-emoji"));
        let said = format!("{sign} {}", said.trim());
        let lines = said.trim().lines().map(|line| format!("> {line}"));
        let quote = lines.collect::<Vec<_>>().join("\n");
        return Some(format!("\n\n{quote}\n\n").into());
    }
    links::wrapper(state, handlers, element)
}
