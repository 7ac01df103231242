//! Converts HTML of other systems to Markdown, with pictures from the folder, links in place of embeds, and links
//! within the site.

mod cards;
mod figures;
mod links;
mod state;

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
};

use htmd::{
    Element, HtmlToMarkdown,
    element_handler::{HandlerResult, Handlers},
};
use url::Url;

use self::state::{State, locked};
use super::{
    super::text::{self, one_line},
    notes::{Note, Noted, Notes},
    pictures::{Shown, Uploads},
    tables,
};
use crate::content::Pictures;

pub(super) use self::state::FormerSite;

/// Elements without visible content.
const SKIPPED: [&str; 9] = [
    "script", "style", "object", "svg", "form", "noscript", "template", "button", "select",
];

/// The origin of a text, for notes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) position: &'a str,
    pub(super) source_id: &'a str,
    /// Address of the text's page, if the addresses in the text are relative to that page.
    pub(super) base: Option<&'a Url>,
}

impl Place<'_> {
    pub(super) fn note(self, what: Note, detail: &str) -> Noted {
        Noted {
            what,
            position: self.position.to_owned(),
            source_id: self.source_id.to_owned(),
            detail: detail.to_owned(),
        }
    }
}

/// Converts the texts of a former site.
pub(super) struct Converter {
    html: HtmlToMarkdown,
    state: Arc<Mutex<State>>,
}

impl Converter {
    pub(super) fn new(site: FormerSite, uploads: Uploads) -> Self {
        let state = Arc::new(Mutex::new(State {
            site,
            uploads,
            pictures: Pictures::default(),
            known: HashMap::new(),
            base: None,
            caption: None,
            lowers_headings: false,
            notes: Vec::new(),
        }));
        let with = |handle: Handle| {
            let state = Arc::clone(&state);
            move |handlers: &dyn Handlers, element: Element<'_>| handle(&state, handlers, &element)
        };
        let html = HtmlToMarkdown::builder()
            .skip_tags(SKIPPED.to_vec())
            .add_handler(vec!["img"], with(figures::picture))
            .add_handler(vec!["figure"], with(cards::figure))
            .add_handler(vec!["ul"], figures::list)
            .add_handler(vec!["a"], with(cards::link))
            .add_handler(
                vec!["iframe", "embed", "video", "audio"],
                with(links::embed),
            )
            .add_handler(vec!["div"], with(cards::block))
            .add_handler(
                vec!["table"],
                |handlers: &dyn Handlers, element: Element<'_>| {
                    tables::table(handlers, element.node).map(Into::into)
                },
            )
            .add_handler(vec!["h1", "h2", "h3", "h4", "h5"], with(heading))
            .build();
        Self { html, state }
    }

    /// Converts a text to Markdown, or returns the reason why it cannot be read.
    pub(super) fn markdown(
        &self,
        html: &str,
        place: Place<'_>,
        notes: &mut Notes,
    ) -> Result<String, String> {
        let tree = text::tree(&self.html, html)?;
        {
            let mut state = locked(&self.state);
            state.caption = None;
            state.base = place.base.cloned();
            state.lowers_headings = text::has(&tree, "h1");
        }
        if text::has(&tree, "form") {
            notes.add(place.note(Note::Block, "a form"));
        }
        let markdown = self.html.tree_to_markdown(&tree);
        // Repeated notes on a text are reported once.
        let found: BTreeSet<(Note, String)> = locked(&self.state).notes.drain(..).collect();
        for (what, detail) in found {
            notes.add(place.note(what, &detail));
        }
        Ok(markdown)
    }

    /// Returns the sentences of a text, without captions and similar parts.
    pub(super) fn prose(&self, html: &str) -> Result<String, String> {
        Ok(text::prose(&text::tree(&self.html, html)?))
    }

    /// Returns the picture of an address, which is then published, or the reason why it is unavailable.
    pub(super) fn picture(&self, address: &str) -> Result<Shown, String> {
        locked(&self.state).picture(address)
    }

    /// Returns the pictures that were found.
    pub(super) fn into_pictures(self) -> Pictures {
        std::mem::take(&mut locked(&self.state).pictures)
    }
}

type Handle = fn(&Mutex<State>, &dyn Handlers, &Element<'_>) -> Option<HandlerResult>;

fn heading(
    state: &Mutex<State>,
    handlers: &dyn Handlers,
    element: &Element<'_>,
) -> Option<HandlerResult> {
    let content = handlers.walk_children(element.node).content;
    let content = one_line(&content);
    if content.is_empty() {
        return None;
    }
    let level = element.tag.trim_start_matches('h').parse().unwrap_or(2);
    let level = level + usize::from(locked(state).lowers_headings);
    Some(format!("\n\n{} {content}\n\n", "#".repeat(level.min(6))).into())
}

#[cfg(test)]
mod tests;
