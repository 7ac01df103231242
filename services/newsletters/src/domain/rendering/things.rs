//! Items of an email and the addresses of its links.

use vocabulary::newsletters::Kind;

use super::super::{
    Site,
    issue::{Content, Item, Section},
};

/// The page of all issues.
pub(super) const ARCHIVE: &str = "/newsletters/issues/";

/// The items of an issue and the addresses of its links.
#[derive(Clone, Copy)]
pub(super) struct Things<'a> {
    pub(super) site: &'a Site,
    pub(super) content: &'a Content,
    /// The personal section, for readers who have one.
    pub(super) own: Option<&'a Section>,
    /// Prefix of counted links, if clicks are counted.
    pub(super) counted: Option<&'a str>,
}

impl Things<'_> {
    /// Returns each section with its items and their addresses.
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
        // Clicks in personal sections are not counted.
        let own = self.own.map(|section| {
            let items = section.items.iter();
            let items = items.map(|item| (self.site.page(&item.path), item));
            (section.heading.as_str(), items.collect())
        });
        sections.extend(own);
        sections
    }
}

/// Links in the footer of an email.
pub(super) struct Links {
    pub(super) unsubscribe: String,
    pub(super) preferences: String,
    /// Page of the issue.
    pub(super) page: Option<String>,
    /// Prefix of links to the issue's items, if the site counts clicks.
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

/// The reason why the recipient receives the email, required by law like the sender's postal address.
pub(super) fn reason(site: &Site, kind: Kind) -> String {
    format!(
        "You get {} because you have asked {} for it.",
        kind.title(),
        site.name
    )
}

pub(super) fn sender(site: &Site) -> String {
    if site.postal_address.is_empty() {
        site.name.clone()
    } else {
        format!("{}, {}", site.name, site.postal_address)
    }
}
