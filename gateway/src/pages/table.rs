//! The one table of pages: path, section, first calls and the application's module of each kind. A kind
//! that is missing here does not compile.

use super::{
    kinds::{
        article, best_of_list, contest, event, grids, home, neighbourhoods, place, section,
        static_page, titles, types, video,
    },
    meta::Meta,
    opening::{Opening, PageContext},
};
use crate::{
    edge::{
        error::ApiError,
        public::{CacheKey, Freshness, Tag},
    },
    site::Site,
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

/// The content of a page; a change of it invalidates the cached page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    Everything,
    /// Places, types and neighbourhoods.
    Places,
    /// A place and others beside it.
    Place,
    Item,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The section without which the site has no such page.
    section: Option<&'static str>,
    /// The module of the application that shows it (`web/src/routes`).
    pub(super) module: &'static str,
    shows: Shows,
    pub(super) freshness: Freshness,
}

impl Row {
    /// Whether the site has such pages.
    pub(super) fn is_of(&self, site: &Site) -> bool {
        self.section.is_none_or(|section| site.has(section))
    }
}

/// A page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Own(OwnPage),
    /// An object of the catalogue, by its kind and id.
    Resolved(ResolvedKind, i64),
}

/// Declares the site's own pages: path, section, the application's module, the head, and
/// the function that opens the page; without one it shows its title.
macro_rules! own_pages {
    ($($kind:ident: $path:expr, $section:expr, $module:literal, $meta:path $(, $open:path)?;)*) => {
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

            /// The head of the page, which needs no answer.
            pub(super) fn meta(self, site: &Site, path: &str) -> Meta {
                match self {
                    $(Self::$kind => $meta(site, path),)*
                }
            }

            async fn open(self, page: &PageContext<'_>) -> Result<Opening, ApiError> {
                match self {
                    $(Self::$kind => own_pages!(@open self, page $(, $open)?),)*
                }
            }
        }
    };
    (@open $own:ident, $page:ident) => {
        Ok(titles::titled($own.meta($page.site(), $page.path), Vec::new()))
    };
    (@open $own:ident, $page:ident, $open:path) => {
        $open($page).await
    };
}

own_pages! {
    Home: Path::Fixed("/"), None, "home", home::meta, home::open;
    Places: Path::Fixed("/places/"), Some("listings"), "places", grids::places_meta, grids::places;
    Neighbourhoods: Path::Fixed("/neighbourhoods/"), Some("neighbourhoods"), "neighbourhoods", neighbourhoods::meta, neighbourhoods::open;
    Events: Path::Fixed("/events/"), Some("events"), "events", grids::events_meta, grids::events;
    Contests: Path::Fixed("/contests/"), Some("contests"), "contests", grids::contests_meta, grids::contests;
    Videos: Path::Fixed("/videos/"), Some("videos"), "videos", grids::videos_meta, grids::videos;
    Archives: Path::Fixed("/archives/"), Some("articles"), "archives", titles::archives_meta, titles::archives;
    Contact: Path::Fixed("/contact/"), None, "contact", titles::contact_meta;
    Search: Path::Fixed("/search"), None, "search", titles::search_meta;
    Login: Path::Fixed("/accounts/login"), None, "login", titles::login_meta;
    Dashboard: Path::Fixed("/accounts/dashboard"), None, "dashboard", titles::dashboard_meta;
    Logout: Path::Fixed("/profiles/logout"), None, "logout", titles::logout_meta;
    BestOf: Path::City, Some("best_of"), "best-of", grids::best_of_meta, grids::best_of;
    Section: Path::ArticleSection, Some("articles"), "section", section::meta, section::open;
}

impl OwnPage {
    /// The page at a path, if the site has it, and the path as links spell it.
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

/// The row of a kind of object.
fn resolved_row(kind: ResolvedKind) -> Row {
    use Freshness::{Short, Usual};
    use ResolvedKind as Kind;
    let (section, module, shows, freshness) = match kind {
        Kind::Listing => (Some("listings"), "place", Shows::Place, Short),
        Kind::ListingType => (Some("listings"), "listing-type", Shows::Places, Short),
        Kind::Neighbourhood => (
            Some("neighbourhoods"),
            "neighbourhood",
            Shows::Places,
            Short,
        ),
        Kind::BestOfList => (Some("best_of"), "best-of-list", Shows::Places, Short),
        Kind::Article => (Some("articles"), "article", Shows::Item, Usual),
        Kind::Event => (Some("events"), "event", Shows::Item, Short),
        Kind::Contest => (Some("contests"), "contest", Shows::Item, Short),
        Kind::Video => (Some("videos"), "video", Shows::Item, Usual),
        Kind::Page => (None, "static-page", Shows::Item, Usual),
    };
    Row {
        section,
        module,
        shows,
        freshness,
    }
}

impl Page {
    pub(super) fn row(self) -> Row {
        match self {
            Self::Own(page) => page.row(),
            Self::Resolved(kind, _) => resolved_row(kind),
        }
    }

    /// Makes the first calls of the page and renders its content.
    pub(super) async fn open(self, page: &PageContext<'_>) -> Result<Opening, ApiError> {
        use ResolvedKind as Kind;
        match self {
            Self::Own(own) => own.open(page).await,
            Self::Resolved(Kind::Listing, id) => place::open(page, id).await,
            Self::Resolved(Kind::ListingType, id) => types::open(page, id).await,
            Self::Resolved(Kind::Neighbourhood, _) => neighbourhoods::open_one(page).await,
            Self::Resolved(Kind::BestOfList, _) => best_of_list::open(page).await,
            Self::Resolved(Kind::Article, id) => article::open(page, id).await,
            Self::Resolved(Kind::Event, id) => event::open(page, id).await,
            Self::Resolved(Kind::Contest, id) => contest::open(page, id).await,
            Self::Resolved(Kind::Video, id) => video::open(page, id).await,
            Self::Resolved(Kind::Page, _) => static_page::open(page).await,
        }
    }

    /// The key of the page in the cache.
    pub(super) fn key(self, path: &str) -> CacheKey {
        let tags: &[Tag] = match self.row().shows {
            Shows::Everything => &[Tag::Areas, Tag::Listings, Tag::Items],
            Shows::Places | Shows::Place => &[Tag::Areas, Tag::Listings],
            Shows::Item => &[],
        };
        let key = CacheKey::one("page:", path, tags);
        match (self, self.row().shows) {
            (Self::Resolved(_, id), Shows::Place) => key.tagged(Tag::Listing(id)),
            (Self::Resolved(_, id), Shows::Item) => key.tagged(Tag::Item(id)),
            _ => key,
        }
    }
}

/// The paths of the site's own pages that search engines may list.
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
