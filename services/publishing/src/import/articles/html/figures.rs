//! Pictures with captions, and galleries.

use std::{rc::Rc, sync::Mutex};

use htmd::{
    Element, Node,
    element_handler::{HandlerResult, Handlers},
};

use super::{
    super::{
        super::text::{self, attribute, children, is_within, one_line, tag},
        notes::Note,
        pictures::Shown,
    },
    state::{State, locked},
};

/// Elements in which a picture is inline.
const INLINE: [&str; 8] = ["li", "td", "th", "dt", "h1", "h2", "h3", "h4"];

pub(super) fn picture(
    state: &Mutex<State>,
    _: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    let node = element.node;
    let alternative = attribute(node, "alt").unwrap_or_default();
    let classes = attribute(node, "class").unwrap_or_default();
    let is_sign = ["wp-smiley", "emoji"]
        .iter()
        .any(|class| classes.contains(class));
    if is_sign {
        return Some(text::escaped(&alternative).into());
    }
    let is_pixel = |side: &str| attribute(node, side).is_some_and(|pixels| pixels == "1");
    // A lazily loaded picture has its address in another attribute.
    let address = ["data-src", "data-orig-file", "src"]
        .iter()
        .find_map(|name| attribute(node, name).filter(|address| !address.is_empty()))?;
    if is_pixel("width") || is_pixel("height") {
        return None;
    }
    let mut state = locked(state);
    let shown = match state.picture(&address) {
        Ok(shown) => shown,
        Err(why) => {
            state
                .notes
                .push((Note::Picture, format!("{address}: {why}")));
            state.caption = None;
            return None;
        }
    };
    let Shown { address, size } = shown;
    let size = size.map_or(String::new(), |[width, height]| {
        format!("#{width}x{height}")
    });
    let title = state.caption.take().map_or(String::new(), |caption| {
        format!(
            " \"{}\"",
            caption.replace('\\', "\\\\").replace('"', "\\\"")
        )
    });
    let alternative = text::escaped(&one_line(&alternative));
    let markdown = format!("![{alternative}]({address}{size}{title})");
    Some(if INLINE.iter().any(|tag| is_within(node, tag)) {
        markdown.into()
    } else {
        format!("\n\n{markdown}\n\n").into()
    })
}

/// Converts a figure. The caption is added to its picture, or below other content.
pub(super) fn figure(
    state: &Mutex<State>,
    handlers: &dyn Handlers,
    element: &Element<'_>,
) -> HandlerResult {
    let node = element.node;
    let captions: Vec<Rc<Node>> = children(node)
        .into_iter()
        .filter(|child| tag(child) == Some("figcaption"))
        .collect();
    let caption = captions.iter().map(text::content).collect::<Vec<_>>();
    let caption = one_line(&caption.join(" "));
    let caption = Some(caption).filter(|caption| !caption.is_empty());
    let of_gallery = gallery(handlers, node);
    let for_picture = caption
        .clone()
        .filter(|_| of_gallery.is_none() && text::has(node, "img"));
    let has_picture = for_picture.is_some();
    let mut content = of_gallery.unwrap_or_default();
    if content.is_empty() {
        locked(state).caption = for_picture;
        for child in children(node) {
            if tag(&child) != Some("figcaption")
                && let Some(part) = handlers.handle(&child)
            {
                content.push_str("\n\n");
                content.push_str(part.content.trim());
            }
        }
        locked(state).caption = None;
    }
    if let Some(caption) = caption.filter(|_| !has_picture && !content.trim().is_empty()) {
        content = format!("{content}\n\n*{}*", text::escaped(&caption));
    }
    format!("\n\n{}\n\n", content.trim()).into()
}

/// Returns the pictures of an element's figures in one paragraph; `None` if there are fewer than two.
fn gallery(handlers: &dyn Handlers, node: &Rc<Node>) -> Option<String> {
    let mut figures = text::all(node, "figure");
    figures.retain(|figure| text::all(figure, "figure").is_empty());
    if figures.is_empty() {
        // Ghost galleries.
        figures = text::all(node, "div");
        figures.retain(|part| {
            attribute(part, "class").is_some_and(|classes| classes.contains("kg-gallery-image"))
        });
    }
    if figures.len() < 2 {
        return None;
    }
    let shown = figures.iter().filter_map(|figure| handlers.handle(figure));
    let shown = shown.map(|part| part.content.trim().to_owned());
    let shown: Vec<String> = shown.filter(|part| !part.is_empty()).collect();
    let is_picture = |part: &String| part.starts_with("![") && !part.contains('\n');
    (!shown.is_empty() && shown.iter().all(is_picture)).then(|| shown.join("\n"))
}

/// Converts a list. Older WordPress galleries are lists of figures.
pub(super) fn list(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let classes = attribute(element.node, "class").unwrap_or_default();
    if classes.contains("gallery")
        && let Some(pictures) = gallery(handlers, element.node)
    {
        return Some(format!("\n\n{pictures}\n\n").into());
    }
    handlers.fallback(element)
}
