//! Page paths: `/{section}/{article}/`, `/events/{event}/`, `/contests/{contest}/`, `/videos/{video}/` and `/{page}/`;
//! and former addresses of pages on this site or its previous system.

use chassis::slug::is_slug;
use percent_encoding::percent_decode_str;

use super::Kind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PagePath {
    pub(crate) kind: Kind,
    /// Empty except for articles.
    pub(crate) section: String,
    pub(crate) slug: String,
}

impl PagePath {
    /// Builds the path of an item's page.
    pub(crate) fn new(kind: Kind, section: &str, slug: &str) -> Self {
        Self {
            kind,
            section: section.to_owned(),
            slug: slug.to_owned(),
        }
    }

    /// Parses a path, with or without its trailing slash; `None` if no item can have it.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let path = path.strip_prefix('/')?;
        let parts: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
        if !parts.iter().all(|part| is_slug(part)) {
            return None;
        }
        Some(match parts.as_slice() {
            ["events", slug] => Self::new(Kind::Event, "", slug),
            ["contests", slug] => Self::new(Kind::Contest, "", slug),
            ["videos", slug] => Self::new(Kind::Video, "", slug),
            [slug] => Self::new(Kind::Page, "", slug),
            [section, slug] => Self::new(Kind::Article, section, slug),
            _ => return None,
        })
    }

    /// Returns the canonical path for links.
    pub(crate) fn canonical(&self) -> String {
        let slug = &self.slug;
        match self.kind {
            Kind::Article => format!("/{}/{slug}/", self.section),
            Kind::Event => format!("/events/{slug}/"),
            Kind::Contest => format!("/contests/{slug}/"),
            Kind::Video => format!("/videos/{slug}/"),
            Kind::Page => format!("/{slug}/"),
        }
    }
}

/// Maximum length of a former address, in bytes.
const MAX_FORMER: usize = 500;
/// Query parameters with which WordPress identifies a post or page without a path.
const BY_NUMBER: [&str; 2] = ["?p=", "?page_id="];

/// Normalises a former address of a page for storage and look-up: a path with a trailing slash and without
/// percent-encoding, or "/?p=17". A previous system may have used any form of path. Returns `None` if it is not the
/// address of a page.
pub(crate) fn former(address: &str) -> Option<String> {
    let path = address.strip_prefix('/')?;
    if let Some(number) = BY_NUMBER.iter().find_map(|name| path.strip_prefix(name)) {
        let is_number = number.len() <= 18 && number.bytes().all(|byte| byte.is_ascii_digit());
        return (is_number && !number.is_empty()).then(|| format!("/?p={number}"));
    }
    if address.len() > MAX_FORMER || path.contains(['?', '#']) {
        return None;
    }
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = path.strip_suffix('/').unwrap_or(&path);
    let names_a_page = path.split('/').all(|part| {
        !matches!(part, "" | "." | "..") && !part.contains(|at: char| at.is_control() || at == '\\')
    });
    names_a_page.then(|| format!("/{path}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_former_address_has_one_form() {
        for (address, expected) in [
            ("/news/tram/", "/news/tram/"),
            ("/2013/01/11/a-tram", "/2013/01/11/a-tram/"),
            ("/greek/%CE%B5%cf%80/", "/greek/επ/"),
            ("/greek/επ", "/greek/επ/"),
            ("/A_b/", "/A_b/"),
            ("/?p=17", "/?p=17"),
            ("/?page_id=17", "/?p=17"),
        ] {
            assert_eq!(former(address).as_deref(), Some(expected), "{address}");
        }
        let long = format!("/{}/", "x".repeat(MAX_FORMER));
        for address in [
            "",
            "/",
            "//",
            "//evil.example/x",
            "/a//b/",
            "/a/../b/",
            "/%00/",
            "/%ff/",
            "/a?b=c",
            "/?p=",
            "/?p=1x",
            "/?s=x",
            "/a\\b/",
            "https://elsewhere.example/",
            &long,
        ] {
            assert_eq!(former(address), None, "{address}");
        }
    }

    #[test]
    fn a_path_comes_back_as_pages_link_to_it() {
        for (path, kind) in [
            ("/news/a-new-streetcar/", Kind::Article),
            ("/events/night-market/", Kind::Event),
            ("/contests/win-a-canoe/", Kind::Contest),
            ("/videos/the-last-ferry/", Kind::Video),
            ("/privacy/", Kind::Page),
        ] {
            let read = PagePath::parse(path).expect("a path");
            assert_eq!((read.kind, read.canonical().as_str()), (kind, path));
        }
    }

    #[test]
    fn what_can_name_nothing_is_no_path() {
        for path in [
            "", "/", "//", "news", "/a/b/c/", "/A/", "/a//b/", "/%00/", "/../x/",
        ] {
            assert_eq!(PagePath::parse(path), None, "{path}");
        }
    }
}
