//! Page paths: `/{section}/{article}/`, `/events/{event}/`, `/contests/{contest}/`, `/videos/{video}/`
//! and `/{page}/`.

use chassis::slug::is_slug;

use super::Kind;

/// The kinds of items that paths name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PagePath {
    pub(crate) kind: Kind,
    /// Empty except for articles.
    pub(crate) section: String,
    pub(crate) slug: String,
}

impl PagePath {
    /// The path of an item's page.
    pub(crate) fn new(kind: Kind, section: &str, slug: &str) -> Self {
        Self {
            kind,
            section: section.to_owned(),
            slug: slug.to_owned(),
        }
    }

    /// Reads a path, with or without the trailing slash; `None` if no item can have it.
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

    /// The path in links.
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

#[cfg(test)]
mod tests {
    use super::*;

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
