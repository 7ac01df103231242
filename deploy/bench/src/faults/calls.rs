//! The calls that are measured.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicUsize, Ordering},
};

use anyhow::bail;

use super::Plan;
use crate::{
    city::City,
    database::{self, Cast},
    load,
};

/// A call: each of its requests asks for something that was not asked for before, so that no kept answer hides the
/// services, unless it is about kept answers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub(super) name: &'static str,
    what: What,
    /// Its status while nothing is wrong.
    pub(super) status: u16,
}

#[derive(Debug, Clone, Copy)]
enum What {
    /// The front page as readers get it: kept by the gateway.
    KeptHome,
    /// A list of the API, kept.
    KeptList,
    /// The front page, computed.
    Home,
    PlacePage,
    ArticlePage,
    /// A search in a list of the API.
    Search(&'static str),
    /// A signed-in reader's call.
    Personal(&'static str),
    /// A favourite is saved.
    Save,
}

const fn call(name: &'static str, what: What) -> Call {
    Call {
        name,
        what,
        status: 200,
    }
}

const KEPT_HOME: Call = call("the front page, kept", What::KeptHome);
const KEPT_LIST: Call = call("GET listings/, kept", What::KeptList);
const HOME: Call = call("the front page, not kept", What::Home);
const PLACE: Call = call("a place's page", What::PlacePage);
const ARTICLE: Call = call("an article's page", What::ArticlePage);
const LISTINGS: Call = call("GET listings/?keywords=", What::Search("listings"));
const ARTICLES: Call = call("GET articles/?keywords=", What::Search("articles"));
const STATUS: Call = call("GET profiles/status/", What::Personal("profiles/status"));
const ME: Call = call("GET profiles/me/", What::Personal("profiles/me"));
const HI: Call = call("GET profiles/hi/", What::Personal("profiles/hi"));
const FAVOURITES: Call = call("GET favourites/", What::Personal("favourites"));
const SAVE: Call = Call {
    status: 201,
    ..call("POST favourites/", What::Save)
};

/// The calls that do not need what is faulty.
pub(super) fn apart(faulty: &str) -> anyhow::Result<&'static [Call]> {
    Ok(match faulty {
        "places" => &[KEPT_HOME, ARTICLE, ARTICLES, STATUS],
        "editorial" => &[KEPT_HOME, PLACE, LISTINGS, FAVOURITES],
        "bookmarks" => &[HOME, PLACE, ARTICLE, STATUS],
        "identity" => &[HOME, PLACE, ARTICLE, LISTINGS],
        "postgres" => &[KEPT_HOME, KEPT_LIST],
        "rabbitmq" | "redis" => &[HOME, LISTINGS, HI, SAVE],
        other => bail!("there is no fault of {other:?}"),
    })
}

/// The calls that need it, with the services whose breaker answers them.
pub(super) fn needing(faulty: &str) -> &'static [(Call, &'static [&'static str])] {
    match faulty {
        "places" => &[(LISTINGS, &["places"]), (PLACE, &["places"])],
        "editorial" => &[(ARTICLES, &["editorial"]), (ARTICLE, &["editorial"])],
        "bookmarks" => &[(FAVOURITES, &["bookmarks"]), (HI, &["bookmarks"])],
        "identity" => &[(ME, &["identity"]), (FAVOURITES, &["identity"])],
        "postgres" => &[
            (LISTINGS, &["places"]),
            (ARTICLES, &["editorial"]),
            // Its session is known to the cache for a while.
            (FAVOURITES, &["bookmarks", "identity"]),
        ],
        _ => &[],
    }
}

/// The site, and who acts on it.
pub(super) struct World {
    pub(super) site: String,
    keeping: String,
    internal: String,
    metrics: reqwest::Client,
    cast: Cast,
    city: City,
    /// Requests so far; makes each differ from all others.
    number: AtomicUsize,
    /// Favourites so far, each another pair of reader and place.
    saved: AtomicUsize,
}

impl World {
    pub(super) fn new(plan: &Plan, cast: Cast, city: City) -> Self {
        Self {
            site: plan.site.clone(),
            keeping: plan.keeping.clone(),
            internal: plan.internal.clone(),
            metrics: reqwest::Client::new(),
            cast,
            city,
            number: AtomicUsize::new(0),
            saved: AtomicUsize::new(0),
        }
    }

    /// The gateway that a call is sent to.
    pub(super) fn address(&self, call: Call) -> &str {
        match call.what {
            What::KeptHome | What::KeptList => &self.keeping,
            _ => &self.site,
        }
    }

    /// The services that the gateway leaves alone at this moment.
    pub(super) async fn left_alone(&self) -> anyhow::Result<HashSet<String>> {
        let url = format!("http://{}/metrics", self.internal);
        let page = self.metrics.get(url).send().await?.error_for_status()?;
        Ok(open_breakers(&page.text().await?))
    }

    /// The next request of a call.
    pub(super) fn request(&self, call: Call) -> Vec<u8> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let get = |path: &str| load::request("GET", path, None, "");
        let any = |paths: &[String]| get(&paths[number % paths.len()]);
        let session = |number: usize| {
            let (connection, n) = (number % load::CONNECTIONS, number / load::CONNECTIONS);
            database::session(self.cast.reader(connection, n))
        };
        match call.what {
            What::KeptHome | What::Home => get("/"),
            What::KeptList => get("/api/v2/listings/"),
            What::PlacePage => any(&self.city.place_pages),
            What::ArticlePage => any(&self.city.article_pages),
            What::Search(list) => get(&format!("/api/v2/{list}/?keywords=k{number}")),
            What::Personal(path) => {
                let path = format!("/api/v2/{path}/");
                load::request("GET", &path, Some(&session(number)), "")
            }
            What::Save => {
                let number = self.saved.fetch_add(1, Ordering::Relaxed);
                let listing = self.cast.listing(number / load::CONNECTIONS);
                let body = format!("{{\"listing\":{listing}}}");
                load::request("POST", "/api/v2/favourites/", Some(&session(number)), &body)
            }
        }
    }
}

/// The services whose breaker is open, from the page of metrics.
fn open_breakers(page: &str) -> HashSet<String> {
    let gauges = page.lines().filter_map(|line| {
        let rest = line.strip_prefix("rpc_client_breaker_open{callee=\"")?;
        let (callee, rest) = rest.split_once('"')?;
        rest.ends_with(" 1").then(|| callee.to_owned())
    });
    gauges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_that_are_left_alone_are_read_from_the_metrics() {
        let page = "# TYPE rpc_client_breaker_open gauge\n\
            rpc_client_breaker_open{callee=\"places\"} 1\n\
            rpc_client_breaker_open{callee=\"identity\"} 0\n\
            rpc_client_spared_calls_total{callee=\"identity\"} 1\n";
        assert_eq!(open_breakers(page), HashSet::from(["places".to_owned()]));
    }
}
