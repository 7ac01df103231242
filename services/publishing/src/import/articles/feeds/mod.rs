//! Imports RSS 2.0, Atom 1.0 and JSON Feed: feeds of blogs and other services, and Blogger backups.

mod atom;
mod entry;
mod json;
mod media;
mod rss;

use std::{collections::BTreeMap, io::BufRead};

use chassis::digest;
use chrono_tz::Tz;
use url::Url;

use self::entry::{Entry, EntryKind, Part};
use super::{
    super::text::one_line,
    elements::Elements,
    html::FormerSite,
    notes::{Note, Noted, Notes},
    story::Story,
};

/// Maximum number of entries in a feed.
const MAX_ENTRIES: usize = 1_000_000;
/// Maximum total size of the stored entry addresses, in bytes. They identify links between entries.
const MAX_LINKS: usize = 32 << 20;
/// Maximum number of authors of a whole feed, and of kinds that are not posts.
const MAX_KEPT: usize = 100;
/// Maximum length of an entry id that is not hashed, in characters.
const MAX_ID: usize = 150;
/// Number of bytes of the digest that replaces a longer id.
const DIGEST: usize = 16;
/// Number of bytes of the mark that distinguishes entries with the same slug.
const MARK: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedForm {
    Rss,
    Atom,
    Json,
}

/// A feed for its second reading, with the results of the first.
pub(super) struct Feed {
    form: FeedForm,
    zone: Tz,
    /// Whether the feed's site remains in place, so that its pages are not moved here.
    stays: bool,
    /// Address of the feed's site.
    address: Option<Url>,
    site: FormerSite,
    entries: usize,
    /// Authors of entries without an author.
    authors: Vec<String>,
    /// Numbers of entries that are not posts, by kind.
    others: BTreeMap<String, usize>,
}

impl Feed {
    /// Reads a file for the first time. `zone` is this site's time zone; `stays` means that the feed's site remains in
    /// place.
    pub(super) fn read(
        file: impl BufRead,
        form: FeedForm,
        zone: Tz,
        stays: bool,
    ) -> Result<Self, String> {
        let mut feed = Self {
            form,
            zone,
            stays,
            address: None,
            site: FormerSite {
                is_partial: true,
                ..FormerSite::default()
            },
            entries: 0,
            authors: Vec::new(),
            others: BTreeMap::new(),
        };
        let mut links = Links::default();
        parts(file, form, &mut |part| feed.index(part, &mut links))?;
        feed.name_site(&links.all);
        Ok(feed)
    }

    fn index(&mut self, part: Part, links: &mut Links) -> Result<(), String> {
        match part {
            Part::Site(address) if self.address.is_none() => self.address = web_page(&address),
            Part::Site(_) => {}
            Part::Author(name) => {
                if self.authors.len() < MAX_KEPT {
                    self.authors.push(name);
                }
            }
            Part::Entry(_, entry) => {
                self.entries += 1;
                if self.entries > MAX_ENTRIES {
                    return Err(format!("it has more than {MAX_ENTRIES} entries"));
                }
                if let EntryKind::Other(kind) = entry.kind {
                    if self.others.contains_key(&kind) || self.others.len() < MAX_KEPT {
                        *self.others.entry(kind).or_default() += 1;
                    }
                } else {
                    links.add(entry.link);
                    links.add(entry.id);
                }
            }
        }
        Ok(())
    }

    fn name_site(&mut self, links: &[String]) {
        if self.address.is_none() {
            self.address = links.iter().find_map(|link| web_page(link));
        }
        if self.stays {
            return;
        }
        self.site.hosts.extend(self.address.as_ref().and_then(host));
        for link in links {
            let path = self.path(link);
            self.site.paths.extend(path);
        }
    }

    pub(super) fn site(&self) -> FormerSite {
        self.site.clone()
    }

    /// Passes each post and page to `take` until it returns false; an invalid entry is passed with the reason.
    pub(super) fn each(
        &self,
        file: impl BufRead,
        notes: &mut Notes,
        mut take: impl FnMut(Result<Story, (String, String)>, &mut Notes) -> bool,
    ) -> Result<(), String> {
        let mut goes_on = true;
        parts(file, self.form, &mut |part| {
            if let Part::Entry(position, entry) = part
                && goes_on
                && !matches!(entry.kind, EntryKind::Other(_))
            {
                let story = self.story(&position, *entry);
                goes_on = take(story.map_err(|why| (position, why)), notes);
            }
            Ok(())
        })?;
        for (kind, count) in &self.others {
            notes.add(Noted {
                what: Note::Kind,
                position: String::new(),
                source_id: String::new(),
                detail: format!("{count} of the kind {kind:?}"),
            });
        }
        Ok(())
    }

    fn story(&self, position: &str, mut entry: Entry) -> Result<Story, String> {
        let source_id = self.source_id(&entry)?;
        let page = self.page(&entry.link);
        let path = page.as_ref().and_then(entry::path);
        if entry.authors.is_empty() {
            for name in &self.authors {
                entry.add_author(name);
            }
        }
        let mut addresses: Vec<String> = [&entry.link, &entry.id]
            .into_iter()
            .filter_map(|link| self.path(link))
            .collect();
        addresses.dedup();
        Ok(Story {
            position: position.to_owned(),
            is_page: entry.kind == EntryKind::Page && !self.stays,
            slug: path.as_deref().map_or("", last_word).to_owned(),
            mark: digest::hex(&source_id, MARK),
            html: html(&entry),
            excerpt: entry.summary.html(),
            published_at: entry.published_at(self.zone)?,
            is_draft: entry.is_draft,
            title: entry.title.html(),
            picture: entry
                .picture
                .or(Some(entry.thumbnail).filter(|address| !address.is_empty())),
            authors: entry.authors,
            categories: entry.categories,
            tags: Vec::new(),
            base: page,
            addresses,
            source_id,
        })
    }

    /// Returns a source id that is unique across all feeds.
    fn source_id(&self, entry: &Entry) -> Result<String, String> {
        let id = if entry.id.is_empty() {
            one_line(&entry.link)
        } else {
            one_line(&entry.id)
        };
        if id.is_empty() {
            return Err("it has neither an id nor a link".to_owned());
        }
        let host = self.address.as_ref().and_then(host).unwrap_or_default();
        if host.is_empty() && Url::parse(&id).is_err() {
            return Err(format!(
                "its feed names no site, and only there is its id {id:?} one"
            ));
        }
        let id = if id.chars().count() > MAX_ID {
            digest::hex(&id, DIGEST)
        } else {
            id
        };
        Ok(format!("feed:{host}:{id}"))
    }

    /// Returns the page of an entry, whose address may be relative to the site.
    fn page(&self, link: &str) -> Option<Url> {
        match &self.address {
            Some(address) if !link.is_empty() => address.join(link).ok().filter(is_of_web),
            _ => web_page(link),
        }
    }

    /// Returns the path of a page of this site; `None` for a page of another site.
    fn path(&self, link: &str) -> Option<String> {
        let url = if link.starts_with('/') {
            self.page(link)?
        } else {
            web_page(link)?
        };
        let is_here = host(&url).is_some_and(|host| self.site.hosts.contains(&host));
        is_here.then(|| entry::path(&url)).flatten()
    }
}

/// Addresses of entries, collected until the site's address is read, which may be at the end of the feed.
#[derive(Default)]
struct Links {
    all: Vec<String>,
    bytes: usize,
}

impl Links {
    fn add(&mut self, link: String) {
        if !link.is_empty() && self.bytes + link.len() <= MAX_LINKS {
            self.bytes += link.len();
            self.all.push(link);
        }
    }
}

/// Returns the text of an entry, followed by its audio and video files.
fn html(entry: &Entry) -> String {
    let mut html = entry.content.html();
    for address in &entry.players {
        let address = html_escape::encode_double_quoted_attribute(address);
        if !html.contains(&*address) {
            html.extend(["\n<iframe src=\"", &address, "\"></iframe>"]);
        }
    }
    html
}

fn parts(
    file: impl BufRead,
    form: FeedForm,
    take: &mut impl FnMut(Part) -> Result<(), String>,
) -> Result<(), String> {
    if form == FeedForm::Json {
        return json::parts(file, take);
    }
    let mut feed = Elements::new(file);
    while feed.child()?.is_some() {
        match form {
            FeedForm::Rss => rss::parts(&mut feed, take)?,
            _ => atom::parts(&mut feed, take)?,
        }
    }
    Ok(())
}

fn web_page(address: &str) -> Option<Url> {
    Url::parse(address.trim()).ok().filter(is_of_web)
}

fn is_of_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

fn host(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    Some(host.trim_start_matches("www.").to_owned())
}

/// Returns the segment of a path that identifies its page: "a-tram" in "/2024/a-tram.html/" and
/// "/2024/a-tram/index.html/".
fn last_word(path: &str) -> &str {
    let words = path.rsplit('/').map(|word| {
        let stem = word.rsplit_once('.').map(|(stem, _)| stem);
        stem.filter(|stem| !stem.is_empty()).unwrap_or(word)
    });
    let mut words = words.filter(|word| !matches!(*word, "" | "index") && !word.starts_with('?'));
    words.next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
