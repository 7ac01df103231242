//! What is known while texts are converted.

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
    /// With a slash at the end. Empty: they are not known.
    pub(in super::super) paths: HashSet<String>,
    /// Whether the site has pages that its file does not have. Links to these lead there as before; else they are noted.
    pub(in super::super) is_partial: bool,
}

/// The state of a conversion.
pub(super) struct State {
    pub(super) site: FormerSite,
    pub(super) uploads: Uploads,
    pub(super) pictures: Pictures,
    /// What the folder has for addresses that came before.
    pub(super) known: HashMap<String, Result<Shown, String>>,
    /// The page to which the addresses of the text under way are relative; `None`: they are those of this site.
    pub(super) base: Option<Url>,
    /// The caption of the figure under way, which its first picture takes.
    pub(super) caption: Option<String>,
    /// Whether headings are lowered by a level: the page has a first one already.
    pub(super) lowers_headings: bool,
    pub(super) notes: Vec<(Note, String)>,
}

impl State {
    /// The picture of an address, which is published with the others; or why there is none.
    pub(super) fn picture(&mut self, address: &str) -> Result<Shown, String> {
        let address = &self.resolved(address);
        if let Some(known) = self.known.get(address) {
            return known.clone();
        }
        let found = self.uploads.take(address, &mut self.pictures);
        self.known.insert(address.to_owned(), found.clone());
        found
    }

    /// An address in the text under way, in full if it is relative to a page.
    pub(super) fn resolved(&self, address: &str) -> String {
        let whole = self.base.as_ref().and_then(|base| base.join(address).ok());
        whole.map_or_else(|| address.to_owned(), String::from)
    }
}

pub(super) fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
