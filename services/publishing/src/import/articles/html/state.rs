//! State of a text conversion.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use url::Url;

use super::super::{
    notes::Note,
    pictures::{Shown, Uploads},
};
use crate::content::Pictures;

/// The former site: its hosts, and the paths of the pages in its export.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct FormerSite {
    pub(in super::super) hosts: HashSet<String>,
    /// Paths with a trailing slash; empty if unknown.
    pub(in super::super) paths: HashSet<String>,
    /// Whether the site has pages that are not in its file. Links to such pages remain unchanged; on other sites, links
    /// to missing pages are recorded in notes.
    pub(in super::super) is_partial: bool,
}

pub(super) struct State {
    pub(super) site: FormerSite,
    pub(super) uploads: Uploads,
    pub(super) pictures: Pictures,
    /// Cached pictures or errors by address.
    pub(super) known: HashMap<String, Result<Shown, String>>,
    /// Base of the addresses in the current text; `None` if they belong to this site.
    pub(super) base: Option<Url>,
    /// Caption of the current figure, to be added to its first picture.
    pub(super) caption: Option<String>,
    /// Whether headings are lowered by a level, because the page already has a first-level heading.
    pub(super) lowers_headings: bool,
    pub(super) notes: Vec<(Note, String)>,
}

impl State {
    /// Returns the picture of an address, which is then published, or the reason why it is unavailable.
    pub(super) fn picture(&mut self, address: &str) -> Result<Shown, String> {
        let address = &self.resolved(address);
        if let Some(known) = self.known.get(address) {
            return known.clone();
        }
        let found = self.uploads.take(address, &mut self.pictures);
        self.known.insert(address.to_owned(), found.clone());
        found
    }

    /// Resolves an address in the current text against its page, if it has a base.
    pub(super) fn resolved(&self, address: &str) -> String {
        let whole = self.base.as_ref().and_then(|base| base.join(address).ok());
        whole.map_or_else(|| address.to_owned(), String::from)
    }
}

pub(super) fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
