//! First pass over an export: indexes the site, authors, pictures and addresses, which may be anywhere in the file.

use std::{
    collections::{HashMap, HashSet},
    io::BufRead,
};

use url::Url;

use super::{
    super::html::FormerSite,
    item::{Item, Part, parts},
};

/// Maximum number of indexed attachments, and of addresses.
const MAX_KNOWN: usize = 2_000_000;
/// Maximum length of a stored alternative text or caption, in characters.
const MAX_TEXT: usize = 300;

/// A file of the former site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attachment {
    pub(super) id: u64,
    pub(super) address: String,
    pub(super) alternative: String,
    pub(super) caption: String,
}

#[derive(Debug, Default)]
pub(super) struct Index {
    /// The name of the source, from its first address: its host, and its path if other sites share the host.
    pub(super) name: String,
    /// Whether the site has the host for itself. Only then do numeric addresses identify its posts.
    pub(super) is_whole_host: bool,
    pub(super) site: FormerSite,
    /// Display names by log-in name.
    authors: HashMap<String, String>,
    attachments: HashMap<u64, Attachment>,
    /// Attachments by post.
    belonging: HashMap<u64, Vec<u64>>,
    /// Numbers of objects that are neither posts, pages nor attachments, by kind.
    pub(super) others: HashMap<String, usize>,
}

impl Index {
    /// Reads a complete export. An error contains the position of the defect.
    pub(super) fn read(file: impl BufRead) -> Result<Self, String> {
        let mut index = Self::default();
        let mut is_export = false;
        parts(file, |_, part| {
            match part {
                Part::Version => is_export = true,
                Part::Site(address) => index.add_site(&address),
                Part::Author { login, name } => {
                    index.authors.insert(login, name);
                }
                Part::Item(item) => index.add_item(*item)?,
            }
            Ok(())
        })?;
        if is_export {
            Ok(index)
        } else {
            Err("it is no export of WordPress: it has no wp:wxr_version".to_owned())
        }
    }

    fn add_site(&mut self, address: &str) {
        let Ok(url) = Url::parse(address.trim()) else {
            return;
        };
        let Some(host) = url.host_str() else { return };
        let host = host.trim_start_matches("www.").to_owned();
        if self.name.is_empty() {
            let path = url.path().trim_end_matches('/');
            self.name = format!("{host}{path}");
            self.is_whole_host = path.is_empty();
        }
        self.site.hosts.insert(host);
    }

    fn add_item(&mut self, item: Item) -> Result<(), String> {
        if self.attachments.len() + self.site.paths.len() > MAX_KNOWN {
            return Err(format!("it has more than {MAX_KNOWN} posts and pictures"));
        }
        match item.kind.as_str() {
            "attachment" => {
                let short = |text: String| text.chars().take(MAX_TEXT).collect();
                let attachment = Attachment {
                    id: item.id,
                    address: item.attachment_address,
                    alternative: short(item.alternative),
                    caption: short(item.excerpt),
                };
                if item.parent > 0 {
                    self.belonging.entry(item.parent).or_default().push(item.id);
                }
                self.attachments.insert(item.id, attachment);
            }
            "post" | "page" => self.site.paths.extend(item.addresses(self.is_whole_host)),
            // Internal objects of the former site.
            "nav_menu_item"
            | "revision"
            | "custom_css"
            | "customize_changeset"
            | "oembed_cache"
            | "wp_global_styles"
            | "wp_navigation"
            | "wp_template"
            | "wp_template_part" => {}
            _ => *self.others.entry(item.kind).or_default() += 1,
        }
        Ok(())
    }

    /// Returns the display name of an author.
    pub(super) fn author(&self, login: &str) -> String {
        let name = self.authors.get(login).filter(|name| !name.is_empty());
        name.map_or(login, String::as_str).to_owned()
    }

    pub(super) fn attachment(&self, id: u64) -> Option<&Attachment> {
        self.attachments.get(&id)
    }

    /// Returns the pictures with these ids, in order, or without ids the pictures of a post.
    pub(super) fn gallery(&self, post: u64, ids: Option<&str>) -> Vec<Attachment> {
        let ids = match ids {
            Some(ids) => ids
                .split(',')
                .filter_map(|id| id.trim().parse().ok())
                .collect(),
            None => self.belonging.get(&post).cloned().unwrap_or_default(),
        };
        let mut seen = HashSet::new();
        let ids = ids.into_iter().filter(|id| seen.insert(*id));
        let found = ids.filter_map(|id| self.attachments.get(&id));
        found.cloned().collect()
    }
}
