//! The pages that the site has by itself. One of a section that is off is none.

use serde_json::Value;

use super::{
    content::{Above, Look},
    data::call,
    meta::{Feed, Meta},
    plan::{PLACES, Plan, slug},
};
use crate::{
    edge::public::{Freshness, Tag},
    site::{HomeBlock, HomeBlockKind, Site},
};

/// What is told of all places and items.
const EVERYTHING: &[Tag] = &[Tag::Areas, Tag::Listings, Tag::Items];

/// Places with which a front page opens, whatever its block's limit.
const OPENING_PLACES: &str = "24";

/// The page at a path, and what its head says.
pub(super) fn page(site: &Site, path: &str) -> Option<(Meta, Plan)> {
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        let meta = Meta {
            description: Some(site.tagline.clone()),
            canonical: Some("/".to_owned()),
            feed: feed(site, None),
            ..Meta::default()
        };
        return Some((meta, plan(Look::Home, opening(site))));
    }
    let listed = |title: &str| Meta {
        canonical: Some(format!("{path}/")),
        ..Meta::titled(title)
    };
    let of_section =
        |section: &str, title: &str, plan: Plan| site.has(section).then(|| (listed(title), plan));
    let unlisted = |title: &str| {
        let meta = Meta {
            is_unlisted: true,
            ..Meta::titled(title)
        };
        Some((meta, plan(Look::Title, Vec::new())))
    };
    let grid = |above, api: &str, ordering: &str, unit| {
        let first = call(api, &[("ordering", ordering)]);
        plan(Look::Grid { above, unit }, vec![first])
    };
    let newest = |api: &str, unit| grid(Above::Nothing, api, NEWEST, unit);
    match path {
        "/places" => {
            let plan = newest("/api/v2/listings/", PLACES);
            let page = of_section("listings", "Places", plan)?;
            Some(headed(page, format!("Places in {}", site.city)))
        }
        "/neighbourhoods" => {
            let calls = vec!["/api/v2/neighbourhoods/".to_owned()];
            of_section("neighbourhoods", "Neighbourhoods", plan(Look::Index, calls))
        }
        "/events" => {
            let plan = grid(
                Above::Nothing,
                "/api/v2/events/",
                "date_starts",
                ["event", "events"],
            );
            let page = of_section("events", "Events", plan)?;
            Some(headed(page, format!("What’s on in {}", site.city)))
        }
        "/contests" => {
            let plan = newest("/api/v2/contests/", ["contest", "contests"]);
            of_section("contests", "Contests", plan)
        }
        "/videos" => {
            let plan = newest("/api/v2/videos/", ["video", "videos"]);
            of_section("videos", "Videos", plan)
        }
        "/archives" => {
            let calls = vec!["/api/v2/archives/".to_owned()];
            of_section("articles", "Archives", plan(Look::Title, calls))
        }
        "/contact" => Some((listed("Contact us"), plan(Look::Title, Vec::new()))),
        "/search" => unlisted("Search"),
        "/accounts/login" => unlisted("Log in"),
        "/accounts/dashboard" => unlisted("Your dashboard"),
        "/profiles/logout" => unlisted("Log out"),
        _ => {
            let word = path.strip_prefix('/')?;
            if word == site.city_slug {
                let title = format!("The best of {}", site.city);
                let plan = grid(
                    Above::Words("Best of"),
                    "/api/v2/best-of-lists/",
                    NEWEST,
                    ["list", "lists"],
                );
                return of_section("best_of", &title, plan);
            }
            let query = [("ordering", NEWEST), ("section", word)];
            let plan = plan(Look::Section, vec![call("/api/v2/articles/", &query)]);
            let (meta, plan) = of_section("articles", site.section_name(word)?, plan)?;
            let feed = feed(site, Some(word));
            Some((Meta { feed, ..meta }, plan))
        }
    }
}

/// The name of the application's module that shows a page of these (`web/src/routes`).
pub(super) fn module<'a>(site: &Site, path: &'a str) -> &'a str {
    match slug(path) {
        "" => "home",
        word if word == site.city_slug => "best-of",
        word if site.section_name(word).is_some() => "section",
        word => word,
    }
}

/// The default ordering of most grids.
pub(super) const NEWEST: &str = "-date_published";

fn plan(look: Look, calls: Vec<String>) -> Plan {
    Plan {
        look,
        heading: None,
        calls,
        tags: EVERYTHING,
        own: None,
        freshness: Freshness::Short,
    }
}

fn headed((meta, plan): (Meta, Plan), heading: String) -> (Meta, Plan) {
    let heading = Some(heading);
    (meta, Plan { heading, ..plan })
}

/// What the front page opens with; the blocks below ask for themselves when they are near.
fn opening(site: &Site) -> Vec<String> {
    let articles = "/api/v2/articles/";
    let Some(HomeBlock { kind, limit, .. }) = site.home.first() else {
        return Vec::new();
    };
    match kind {
        HomeBlockKind::Lead => vec![call(articles, &[("limit", &limit.to_string())])],
        HomeBlockKind::Reviews => {
            let reviewed = [("limit", OPENING_PLACES), ("ordering", "-date_reviewed")];
            vec![call("/api/v2/listings/", &reviewed)]
        }
        _ => Vec::new(),
    }
}

/// What the front page asks for further where its first answer has too little to open with.
pub(super) fn further(look: Look, first: &Value) -> Option<String> {
    let count = first["results"].as_array().map_or(0, Vec::len);
    let is_of_places = first["results"][0]["type"].is_object();
    let has_enough = count.to_string() == OPENING_PLACES;
    let newest = [("limit", OPENING_PLACES), ("ordering", NEWEST)];
    let is_short = look == Look::Home && is_of_places && !has_enough;
    is_short.then(|| call("/api/v2/listings/", &newest))
}

/// The feed of a section's articles; of all where none is named.
pub(super) fn feed(site: &Site, section: Option<&str>) -> Option<Feed> {
    let name = match section {
        Some(slug) => site.section_name(slug)?,
        None => &site.name,
    };
    site.has("articles").then(|| Feed {
        title: name.to_owned(),
        path: Site::feed_path(section),
    })
}

/// Those that search engines may list, as links spell them.
pub(crate) fn listed(site: &Site) -> Vec<String> {
    let fixed = [
        "/places/",
        "/neighbourhoods/",
        "/events/",
        "/contests/",
        "/videos/",
        "/archives/",
        "/contact/",
    ];
    let sections = site.article_sections.iter();
    let sections = sections.map(|section| format!("/{}/", section.slug));
    let paths = ["/".to_owned(), format!("/{}/", site.city_slug)];
    let paths = paths.into_iter().chain(sections);
    let paths = paths.chain(fixed.map(str::to_owned));
    let is_listed = |path: &String| page(site, path).is_some_and(|(meta, _)| !meta.is_unlisted);
    paths.filter(is_listed).collect()
}
