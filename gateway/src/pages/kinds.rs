//! The kinds of pages and their table: path, section, application module, and the function that opens the page. A kind
//! without a row does not compile.

mod advertising;
mod application;
mod article;
mod best_of_list;
mod contest;
mod event;
mod grids;
mod home;
mod inspections;
mod neighbourhoods;
mod newsletters;
mod photo;
mod photos;
mod place;
mod search;
mod section;
mod static_page;
mod titles;
mod tonight;
mod types;
mod video;

use site::Site;

pub use self::application::{fixed_routes, page_table};
use super::{
    meta::Meta,
    opening::{Opening, PageContext},
};
use crate::{
    edge::{
        error::ApiError,
        public::{CacheKey, Freshness, Tag},
    },
    v2::resolve::ResolvedKind,
};

/// The path of one of the site's own pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Path {
    Fixed(&'static str),
    /// The city's name: `/toronto/`.
    City,
    /// A section of articles: `/news/`.
    ArticleSection,
}

/// The content of a page. Changes to it invalidate the cached page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    Everything,
    /// Places, types and neighbourhoods.
    Places,
    /// A place and nearby places.
    Place,
    Item,
    /// An item and its neighbourhood.
    ItemInArea,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The section that the site must have for this page.
    section: Option<&'static str>,
    /// The application's module for this page (`web/src/routes`).
    pub(super) module: &'static str,
    shows: Shows,
    pub(super) freshness: Freshness,
}

impl Row {
    /// Whether the site has this page.
    pub(super) fn is_of(&self, site: &Site) -> bool {
        self.section.is_none_or(|section| site.has(section))
    }

    /// Whether the page has its own newsletter form, which replaces the footer's
    /// (`web/src/features/newsletters/own-form.ts`).
    pub(super) fn has_newsletter_form(&self) -> bool {
        let modules = ["article", "contest", "event", "newsletters", "place"];
        modules.contains(&self.module)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Own(OwnPage),
    /// A catalogue object, by its kind and id.
    Resolved(ResolvedKind, i64),
    /// A photo over the page of its place, by the ids of the place and the photo.
    Photo(i64, i64),
}

/// Declares the site's own pages: path, section, application module, head, and the function that opens the page, which
/// `calls` the API or `shows` content without responses.
macro_rules! own_pages {
    ($($kind:ident: $path:expr, $section:expr, $module:literal, $meta:path, $how:ident $open:path;)*) => {
        /// One of the site's own pages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum OwnPage {
            $($kind,)*
        }

        impl OwnPage {
            const ALL: &[Self] = &[$(Self::$kind,)*];

            fn path(self) -> Path {
                match self {
                    $(Self::$kind => $path,)*
                }
            }

            fn row(self) -> Row {
                let (section, module) = match self {
                    $(Self::$kind => ($section, $module),)*
                };
                Row {
                    section,
                    module,
                    shows: Shows::Everything,
                    freshness: Freshness::Short,
                }
            }

            /// Returns the query parameters that the content without scripts depends on.
            pub(super) fn params(self) -> &'static [&'static str] {
                match self {
                    Self::Search => search::PARAMS,
                    Self::Tonight => tonight::PARAMS,
                    _ => &[],
                }
            }

            /// Returns the head of the page, which needs no API response.
            pub(super) fn meta(self, site: &Site, path: &str) -> Meta {
                match self {
                    $(Self::$kind => $meta(site, path),)*
                }
            }

            async fn open(self, page: &PageContext<'_>) -> Result<Opening, ApiError> {
                match self {
                    $(Self::$kind => own_pages!(@$how self, page, $open),)*
                }
            }
        }
    };
    (@calls $own:ident, $page:ident, $open:path) => {
        $open($page).await
    };
    (@shows $own:ident, $page:ident, $content:path) => {
        Ok(Opening {
            meta: $own.meta($page.site(), $page.path),
            content: $content($page.site()),
            answers: Vec::new(),
        })
    };
}

own_pages! {
    Home: Path::Fixed("/"), None, "home", home::meta, calls home::open;
    Places: Path::Fixed("/places/"), Some("listings"), "places", grids::places_meta, calls grids::places;
    Neighbourhoods: Path::Fixed("/neighbourhoods/"), Some("neighbourhoods"), "neighbourhoods", neighbourhoods::meta, calls neighbourhoods::open;
    Events: Path::Fixed("/events/"), Some("events"), "events", grids::events_meta, calls grids::events;
    Tonight: Path::Fixed("/tonight/"), Some("listings"), "tonight", tonight::meta, calls tonight::open;
    Contests: Path::Fixed("/contests/"), Some("contests"), "contests", grids::contests_meta, calls grids::contests;
    Videos: Path::Fixed("/videos/"), Some("videos"), "videos", grids::videos_meta, calls grids::videos;
    Archives: Path::Fixed("/archives/"), Some("articles"), "archives", titles::archives_meta, calls titles::archives;
    Contact: Path::Fixed("/contact/"), None, "contact", titles::contact_meta, shows titles::contact;
    Newsletters: Path::Fixed("/newsletters/"), None, "newsletters", newsletters::meta, shows newsletters::content;
    Advertising: Path::Fixed("/advertising/"), None, "advertising", advertising::meta, calls advertising::open;
    Search: Path::Fixed("/search"), None, "search", search::meta, calls search::open;
    Login: Path::Fixed("/accounts/login"), None, "login", titles::login_meta, shows titles::login;
    ResetPassword: Path::Fixed("/accounts/reset-password"), None, "reset-password", titles::reset_password_meta, shows titles::personal;
    ConfirmEmail: Path::Fixed("/accounts/confirm-email"), None, "confirm-email", titles::confirm_email_meta, shows titles::personal;
    Receipt: Path::Fixed("/accounts/receipt"), None, "receipt", titles::receipt_meta, shows titles::personal;
    Dashboard: Path::Fixed("/accounts/dashboard"), None, "dashboard", titles::dashboard_meta, shows titles::personal;
    FacebookDeletion: Path::Fixed("/profiles/facebook-deletion"), None, "facebook-deletion", titles::facebook_deletion_meta, shows titles::personal;
    Logout: Path::Fixed("/profiles/logout"), None, "logout", titles::logout_meta, shows titles::personal;
    BestOf: Path::City, Some("best_of"), "best-of", grids::best_of_meta, calls grids::best_of;
    Section: Path::ArticleSection, Some("articles"), "section", section::meta, calls section::open;
}

impl OwnPage {
    /// Returns the page at this path, if the site has it, and the canonical path.
    pub(super) fn find(site: &Site, path: &str) -> Option<(Self, String)> {
        let word = path.strip_suffix('/').unwrap_or(path);
        let is_at = |page: &Self| match page.path() {
            Path::Fixed(known) => known.strip_suffix('/').unwrap_or(known) == word,
            Path::City => word.strip_prefix('/') == Some(&*site.city_slug),
            Path::ArticleSection => {
                let slug = word.strip_prefix('/');
                slug.is_some_and(|slug| site.section_name(slug).is_some())
            }
        };
        let page = *Self::ALL.iter().find(|page| is_at(page))?;
        let path = match page.path() {
            Path::Fixed(path) => path.to_owned(),
            Path::City | Path::ArticleSection => format!("{word}/"),
        };
        page.row().is_of(site).then_some((page, path))
    }
}

/// Declares the pages of catalogue objects: kind, section, application module, content, freshness, and the function
/// that opens the page.
macro_rules! resolved_pages {
    ($($kind:ident: $section:expr, $module:literal, $shows:ident, $freshness:ident, $open:path;)*) => {
        const RESOLVED: &[ResolvedKind] = &[$(ResolvedKind::$kind,)*];

        fn resolved_row(kind: ResolvedKind) -> Row {
            match kind {
                $(ResolvedKind::$kind => Row {
                    section: $section,
                    module: $module,
                    shows: Shows::$shows,
                    freshness: Freshness::$freshness,
                },)*
            }
        }

        async fn open_resolved(
            kind: ResolvedKind,
            page: &PageContext<'_>,
            id: i64,
        ) -> Result<Opening, ApiError> {
            match kind {
                $(ResolvedKind::$kind => $open(page, id).await,)*
            }
        }
    };
}

resolved_pages! {
    Listing: Some("listings"), "place", Place, Short, place::open;
    ListingType: Some("listings"), "listing-type", Places, Short, types::open;
    Neighbourhood: Some("neighbourhoods"), "neighbourhood", Places, Short, neighbourhoods::open_one;
    BestOfList: Some("best_of"), "best-of-list", Places, Short, best_of_list::open;
    Article: Some("articles"), "article", Item, Usual, article::open;
    Event: Some("events"), "event", ItemInArea, Short, event::open;
    Contest: Some("contests"), "contest", Item, Short, contest::open;
    Video: Some("videos"), "video", Item, Usual, video::open;
    Page: None, "static-page", Item, Usual, static_page::open;
}

impl Page {
    pub(super) fn row(self) -> Row {
        match self {
            Self::Own(page) => page.row(),
            Self::Resolved(kind, _) => resolved_row(kind),
            Self::Photo(..) => resolved_row(ResolvedKind::Listing),
        }
    }

    /// Makes the page's first calls and renders its content.
    pub(super) async fn open(self, page: &PageContext<'_>) -> Result<Opening, ApiError> {
        match self {
            Self::Own(own) => own.open(page).await,
            Self::Resolved(kind, id) => open_resolved(kind, page, id).await,
            Self::Photo(listing, id) => photo::open(page, listing, id).await,
        }
    }

    /// Returns the page's cache key.
    pub(super) fn key(self, path: &str) -> CacheKey {
        let tags: &[Tag] = match self.row().shows {
            Shows::Everything => &[Tag::Areas, Tag::Listings, Tag::Items],
            Shows::Places | Shows::Place => &[Tag::Areas, Tag::Listings],
            Shows::Item => &[],
            Shows::ItemInArea => &[Tag::Areas],
        };
        let name = match self {
            Self::Photo(_, id) => format!("{path}photos/{id}"),
            _ => path.to_owned(),
        };
        let key = CacheKey::one("page:", name, tags);
        match (self, self.row().shows) {
            (Self::Resolved(_, id) | Self::Photo(id, _), Shows::Place) => {
                key.tagged(Tag::Listing(id)).tagged(Tag::PhotosOf(id))
            }
            (Self::Resolved(_, id), Shows::Item | Shows::ItemInArea) => key.tagged(Tag::Item(id)),
            _ => key,
        }
    }
}

/// Returns the names of all pages in the table: their modules in the application.
pub(crate) fn page_names() -> impl Iterator<Item = &'static str> {
    let own = OwnPage::ALL.iter().map(|page| page.row().module);
    let resolved = RESOLVED.iter().map(|kind| resolved_row(*kind).module);
    own.chain(resolved)
}

/// Returns the paths of the site's own pages that search engines may list.
pub(crate) fn listed(site: &Site) -> Vec<String> {
    let pages = OwnPage::ALL.iter().filter(|page| page.row().is_of(site));
    let paths = pages.flat_map(|page| {
        let paths = match page.path() {
            Path::Fixed(path) => vec![path.to_owned()],
            Path::City => vec![format!("/{}/", site.city_slug)],
            Path::ArticleSection => {
                let sections = site.article_sections.iter();
                sections
                    .map(|section| format!("/{}/", section.slug))
                    .collect()
            }
        };
        let is_listed = |path: &String| !page.meta(site, path).is_unlisted;
        paths.into_iter().filter(is_listed).collect::<Vec<_>>()
    });
    paths.collect()
}

/// Returns the section of the site's own page at this path. Best-of lists are below the city's name.
pub(crate) fn section_at(site: &Site, path: &str) -> Option<&'static str> {
    let city = format!("/{}/", site.city_slug);
    let is_at = |page: &&OwnPage| match page.path() {
        Path::Fixed(known) => known == path,
        Path::City => path.starts_with(&city),
        Path::ArticleSection => {
            let mut sections = site.article_sections.iter();
            sections.any(|section| path == format!("/{}/", section.slug))
        }
    };
    OwnPage::ALL.iter().find(is_at)?.row().section
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use site::ads::slot::PageKind;

    #[test]
    fn every_page_that_can_be_found_has_its_description() {
        for file in ["guide.toml", "news.toml"] {
            let file = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../deploy/sites")
                .join(file);
            let site = Site::read(&file).expect("a site");
            let mut known = std::collections::HashSet::new();
            for page in OwnPage::ALL {
                let path = match page.path() {
                    super::Path::Fixed(path) => path.to_owned(),
                    super::Path::City => format!("/{}/", site.city_slug),
                    super::Path::ArticleSection => format!("/{}/", site.article_sections[0].slug),
                };
                let meta = page.meta(&site, &path);
                let Some(description) = meta.description else {
                    assert!(
                        path.starts_with("/accounts/") || path.starts_with("/profiles/"),
                        "{path}"
                    );
                    continue;
                };
                assert!(
                    (20..=160).contains(&description.chars().count()),
                    "{description}"
                );
                assert!(
                    known.insert(description),
                    "{path} has the description of another page"
                );
            }
        }
    }

    #[test]
    fn a_page_with_ads_is_named_after_its_module() {
        let modules: Vec<&str> = page_names().collect();
        let with_ads = modules.iter().filter(|module| {
            let name = serde_json::json!(module);
            serde_json::from_value::<PageKind>(name).is_ok()
        });
        // The table has no row for photos, which are shown over the page of their place.
        assert_eq!(with_ads.count() + 1, PageKind::COUNT, "{modules:?}");
    }

    #[test]
    fn a_kind_of_object_is_named_as_the_api_names_it() {
        for kind in RESOLVED {
            let name = serde_json::to_value(kind).expect("JSON");
            assert_eq!(name, kind.name());
        }
    }
}
