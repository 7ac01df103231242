//! What a letter brings, and where its links lead.

use vocabulary::newsletters::Kind;

use super::super::{
    Site,
    issue::{Content, Item, Section},
};

/// The page of all issues.
pub(super) const ARCHIVE: &str = "/newsletters/issues/";

/// What an issue brings, and where its links lead.
#[derive(Clone, Copy)]
pub(super) struct Things<'a> {
    pub(super) site: &'a Site,
    pub(super) content: &'a Content,
    /// For some readers alone.
    pub(super) own: Option<&'a Section>,
    /// The beginning of links that are counted, if they are.
    pub(super) counted: Option<&'a str>,
}

impl Things<'_> {
    /// Each section, its things with their addresses.
    pub(super) fn sections(&self) -> Vec<(&str, Vec<(String, &Item)>)> {
        let mut number = 0;
        let mut sections = Vec::new();
        for section in &self.content.sections {
            let items = section.items.iter().map(|item| {
                number += 1;
                let address = match self.counted {
                    Some(beginning) => format!("{beginning}{number}/"),
                    None => self.site.page(&item.path),
                };
                (address, item)
            });
            sections.push((section.heading.as_str(), items.collect()));
        }
        // Nobody counts what a reader alone gets.
        let own = self.own.map(|section| {
            let items = section.items.iter();
            let items = items.map(|item| (self.site.page(&item.path), item));
            (section.heading.as_str(), items.collect())
        });
        sections.extend(own);
        sections
    }
}

/// The links of a letter's end.
pub(super) struct Links {
    pub(super) unsubscribe: String,
    pub(super) preferences: String,
    /// The issue's page.
    pub(super) page: Option<String>,
    /// The beginning of links to its things, if the site counts how often they are followed.
    pub(super) counted: Option<String>,
}

impl Links {
    pub(super) fn new(site: &Site, kind: Kind, id: Option<i64>) -> Self {
        let at = |path: String| format!("{}{path}", site.origin.as_str());
        let mark = &site.mark;
        let page = id.map(|id| at(format!("{ARCHIVE}{id}/")));
        Self {
            unsubscribe: at(format!(
                "/newsletters/unsubscribe/{mark}/?kind={}",
                kind.name()
            )),
            preferences: at(format!("/newsletters/preferences/{mark}/")),
            counted: page.clone().filter(|_| site.counts_clicks),
            page,
        }
    }
}

/// Why somebody gets it, which the law asks for, as it does for the sender's postal address.
pub(super) fn reason(site: &Site, kind: Kind) -> String {
    format!(
        "You get {} because you have asked {} for it.",
        kind.title(),
        site.name
    )
}

/// Who sends it.
pub(super) fn sender(site: &Site) -> String {
    if site.postal_address.is_empty() {
        site.name.clone()
    } else {
        format!("{}, {}", site.name, site.postal_address)
    }
}
