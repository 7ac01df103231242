//! How a page is made: what it shows first, and when that changes.

use serde_json::Value;

use super::{
    content::{Above, Look},
    data::{FirstAnswer, OwnApi, call},
    own::NEWEST,
};
use crate::{
    edge::{
        error::ApiError,
        public::{CacheKey, Freshness, Tag},
    },
    site::Site,
};

/// What a grid of places counts.
pub(super) const PLACES: [&str; 2] = ["place", "places"];
const AREAS_AND_PLACES: &[Tag] = &[Tag::Areas, Tag::Listings];

/// A page's first content.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) look: Look,
    /// The page's heading where it is not its title.
    pub(super) heading: Option<String>,
    /// Calls of the API whose answers the page begins with, as the application writes them.
    pub(super) calls: Vec<String>,
    pub(super) tags: &'static [Tag],
    pub(super) own: Option<Tag>,
    pub(super) freshness: Freshness,
}

impl Plan {
    /// The key of the page in the cache.
    pub(super) fn key(&self, path: &str) -> CacheKey {
        let key = CacheKey::one("page:", path, self.tags);
        match self.own {
            Some(own) => key.tagged(own),
            None => key,
        }
    }
}

/// Whatever stands at a path, as the API resolves it.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) kind: String,
    pub(super) id: i64,
    pub(super) canonical: String,
    pub(super) moved_to: Option<String>,
}

impl Resolved {
    /// What stands there; an error where nothing does, or it cannot be known.
    pub(super) async fn at(api: &OwnApi, path: &str) -> Result<Self, ApiError> {
        let found = api.get(&resolving(path)).await?.body;
        let text = |name: &str| found[name].as_str().map(str::to_owned);
        let whole = text("kind")
            .zip(found["id"].as_i64())
            .zip(text("canonical"));
        let ((kind, id), canonical) = whole.ok_or_else(ApiError::not_found)?;
        Ok(Self {
            kind,
            id,
            canonical,
            moved_to: text("moved_to"),
        })
    }

    /// Whether the site has the section that it belongs to.
    pub(super) fn is_of(&self, site: &Site) -> bool {
        let section = match self.kind.as_str() {
            "listing" | "listing-type" => "listings",
            "neighbourhood" => "neighbourhoods",
            "best-of-list" => "best_of",
            "article" => "articles",
            "event" => "events",
            "contest" => "contests",
            "video" => "videos",
            _ => return self.kind == "page",
        };
        site.has(section)
    }

    /// The name of the application's module that shows it (`web/src/routes`).
    pub(super) fn module(&self) -> &str {
        match self.kind.as_str() {
            "listing" => "place",
            "page" => "static-page",
            kind => kind,
        }
    }

    pub(super) fn plan(&self) -> Plan {
        let id = self.id;
        let item = |resource: &str, freshness| Plan {
            look: Look::Item,
            heading: None,
            calls: vec![format!("/api/v2/{resource}/{id}/")],
            tags: &[],
            own: Some(Tag::Item(id)),
            freshness,
        };
        let places = |look, tags, calls| Plan {
            look,
            heading: None,
            calls,
            tags,
            own: None,
            freshness: Freshness::Short,
        };
        let slug = slug(&self.canonical);
        let grid = |filter: &str| {
            let query = [("ordering", NEWEST), (filter, slug)];
            call("/api/v2/listings/", &query)
        };
        let mut plan = match self.kind.as_str() {
            "listing" => {
                let include = [("include", "recent,best_of,similar")];
                let first = call(&format!("/api/v2/listings/{id}/"), &include);
                let plan = places(Look::Place, AREAS_AND_PLACES, vec![first]);
                let own = Some(Tag::Listing(id));
                Plan { own, ..plan }
            }
            "listing-type" => {
                let calls = vec!["/api/v2/listing-types/".to_owned(), grid("type")];
                places(of_places(Above::City), AREAS_AND_PLACES, calls)
            }
            "neighbourhood" => {
                let calls = vec!["/api/v2/neighbourhoods/".to_owned(), grid("neighbourhood")];
                let above = Above::Link {
                    href: "/neighbourhoods/",
                    label: "Neighbourhoods",
                };
                places(of_places(above), AREAS_AND_PLACES, calls)
            }
            "best-of-list" => {
                let first = format!("/api/v2/best-of-lists/{slug}/");
                places(Look::Ranking, AREAS_AND_PLACES, vec![first])
            }
            "article" => Plan {
                look: Look::Article,
                ..item("articles", Freshness::Usual)
            },
            "event" => item("events", Freshness::Short),
            "contest" => item("contests", Freshness::Short),
            "video" => item("videos", Freshness::Usual),
            _ => Plan {
                calls: vec![format!("/api/v2/pages/{slug}/")],
                ..item("pages", Freshness::Usual)
            },
        };
        plan.calls.insert(0, resolving(&self.canonical));
        plan
    }
}

/// A grid of places.
fn of_places(above: Above) -> Look {
    let unit = PLACES;
    Look::Grid { above, unit }
}

fn resolving(path: &str) -> String {
    call("/api/v2/resolve/", &[("path", path)])
}

/// The last word of a path.
pub(super) fn slug(path: &str) -> &str {
    let word = path.trim_end_matches('/').rsplit('/').next();
    word.unwrap_or_default()
}

/// The answer that a page is about: the last of its first ones.
pub(super) fn subject(answers: &[FirstAnswer]) -> &Value {
    answers.last().map_or(&Value::Null, |answer| &answer.body)
}
