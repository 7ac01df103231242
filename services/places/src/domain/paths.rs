//! Page paths: `/{type}/`, `/{type}/{place}/`, `/neighbourhoods/{neighbourhood}/` and
//! `/best-of/{list}/` (which the gateway shows below the name of its city).

use chassis::slug::{self, is_slug};

/// First path segments reserved for the site, which types cannot use.
const RESERVED: &[&str] = &[
    "accounts",
    "api",
    "archives",
    "assets",
    "best-of",
    "calendar",
    "contact",
    "contests",
    "culture",
    "desk",
    "events",
    "food",
    "health",
    "jobs",
    "media",
    "metrics",
    "neighbourhoods",
    "news",
    "newsletters",
    "places",
    "privacy",
    "profiles",
    "real-estate",
    "robots",
    "search",
    "sitemap",
    "sitemaps",
    "sports",
    "status",
    "tech",
    "termsofservice",
    "tonight",
    "travel",
    "videos",
];

/// Whether a slug is reserved for the site.
pub(crate) fn is_reserved(slug: &str) -> bool {
    RESERVED.contains(&slug)
}

/// The path of an object's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PagePath {
    Type(String),
    Neighbourhood(String),
    BestOf(String),
    Listing { type_slug: String, slug: String },
}

impl PagePath {
    /// Parses a path, with or without its trailing slash; `None` if no object can have it.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let path = path.strip_prefix('/')?;
        let parts: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
        if !parts.iter().all(|part| is_slug(part)) {
            return None;
        }
        match parts.as_slice() {
            ["best-of", slug] => Some(Self::BestOf((*slug).to_owned())),
            ["neighbourhoods", slug] => Some(Self::Neighbourhood((*slug).to_owned())),
            [slug] => Some(Self::Type((*slug).to_owned())),
            [type_slug, slug] => Some(Self::Listing {
                type_slug: (*type_slug).to_owned(),
                slug: (*slug).to_owned(),
            }),
            _ => None,
        }
    }

    /// Returns the canonical path for links.
    pub(crate) fn canonical(&self) -> String {
        match self {
            Self::Type(slug) => format!("/{slug}/"),
            Self::BestOf(slug) => format!("/best-of/{slug}/"),
            Self::Neighbourhood(slug) => format!("/neighbourhoods/{slug}/"),
            Self::Listing { type_slug, slug } => format!("/{type_slug}/{slug}/"),
        }
    }
}

/// Returns the first of `base`, `base-2`, `base-3`, … that is not taken.
pub(crate) fn first_free(base: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut number = 1;
    loop {
        let slug = numbered(base, number);
        if !is_taken(&slug) {
            return slug;
        }
        number += 1;
    }
}

/// Returns the `number`th slug, from 1: the base, `-2`, `-3` and so on. A long base is truncated to leave room for the
/// number.
pub(crate) fn numbered(base: &str, number: usize) -> String {
    if number <= 1 {
        return base.to_owned();
    }
    let room = slug::MAX_LENGTH - 1 - number.to_string().len();
    let base = base[..base.len().min(room)].trim_end_matches('-');
    format!("{base}-{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_as_pages_link_to_it() {
        for (path, canonical) in [
            ("/restaurants/", "/restaurants/"),
            ("/restaurants", "/restaurants/"),
            ("/restaurants/pai-toronto/", "/restaurants/pai-toronto/"),
            ("/neighbourhoods/the-annex", "/neighbourhoods/the-annex/"),
            ("/best-of/ramen", "/best-of/ramen/"),
        ] {
            assert_eq!(
                PagePath::parse(path).expect("a path").canonical(),
                canonical
            );
        }
    }

    #[test]
    fn what_can_name_nothing_is_no_path() {
        for path in [
            "",
            "/",
            "//",
            "restaurants",
            "/a/b/c/",
            "/A/",
            "/a//b/",
            "/%00/",
            "/../x/",
        ] {
            assert_eq!(PagePath::parse(path), None, "{path}");
        }
    }

    #[test]
    fn a_taken_slug_gets_the_first_free_number() {
        let taken = ["pai", "pai-2"];
        assert_eq!(first_free("pai", |slug| taken.contains(&slug)), "pai-3");
        assert_eq!(first_free("pai-4", |slug| taken.contains(&slug)), "pai-4");
        let long = "a".repeat(slug::MAX_LENGTH);
        assert!(is_slug(&first_free(&long, |slug| slug == long)));
    }
}
