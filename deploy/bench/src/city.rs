//! The addresses of a site, from its sitemaps and lists.

use anyhow::ensure;
use reqwest::Client;
use serde_json::Value;

/// Public API responses whose `ETag` clients send; the first four are lists of items with pictures.
const LISTS: [&str; 8] = [
    "/api/v2/listings/",
    "/api/v2/articles/",
    "/api/v2/events/",
    "/api/v2/videos/",
    "/api/v2/contests/",
    "/api/v2/listing-types/",
    "/api/v2/neighbourhoods/",
    "/api/v2/site/",
];

/// The paths of a site.
#[derive(Debug, Default)]
pub(crate) struct City {
    pub(crate) pages: Vec<String>,
    /// The pages of places and of articles in `pages`.
    pub(crate) place_pages: Vec<String>,
    pub(crate) article_pages: Vec<String>,
    /// Paths of API responses.
    pub(crate) answers: Vec<String>,
    pub(crate) pictures: Vec<String>,
    /// Paths of API responses with their entity tags.
    pub(crate) known: Vec<(String, String)>,
    /// The ids of places.
    pub(crate) places: Vec<i64>,
}

impl City {
    /// Reads the sitemaps and the first pages of lists.
    pub(crate) async fn explore(client: &Client, site: &str) -> anyhow::Result<Self> {
        let get = async |path: &str| -> anyhow::Result<(String, Option<String>)> {
            let answer = client.get(format!("http://{site}{path}")).send().await?;
            let answer = answer.error_for_status()?;
            let tag = answer.headers().get("etag");
            let tag = tag.and_then(|tag| Some(tag.to_str().ok()?.to_owned()));
            Ok((answer.text().await?, tag))
        };
        let mut city = Self::default();
        for sitemap in locations(&get("/sitemap.xml").await?.0, site) {
            let paths = locations(&get(&sitemap).await?.0, site);
            if sitemap.contains("/places-") {
                city.place_pages.extend_from_slice(&paths);
            } else if sitemap.contains("/articles-") {
                city.article_pages.extend_from_slice(&paths);
            }
            city.pages.extend(paths);
        }
        for (at, list) in LISTS.iter().enumerate() {
            let (_, tag) = get(list).await?;
            city.known.extend(tag.map(|tag| ((*list).to_owned(), tag)));
            city.answers.push((*list).to_owned());
            if at >= 4 {
                continue;
            }
            let text = get(&format!("{list}?limit=100")).await?.0;
            let texts = text.split('"');
            let pictures = texts.filter_map(|text| Some(text[text.find("/media/")?..].to_owned()));
            city.pictures.extend(pictures);
            let list_of: Value = serde_json::from_str(&text)?;
            let results = list_of["results"].as_array().into_iter().flatten();
            let ids: Vec<i64> = results.filter_map(|one| one["id"].as_i64()).collect();
            city.answers
                .extend(ids.iter().map(|id| format!("{list}{id}/")));
            if at == 0 {
                city.places = ids;
            }
        }
        let is_empty = city.place_pages.is_empty()
            || city.article_pages.is_empty()
            || city.pictures.is_empty()
            || city.places.is_empty();
        ensure!(!is_empty, "the site lacks places, articles or pictures");
        Ok(city)
    }
}

/// The paths in a sitemap.
fn locations(text: &str, site: &str) -> Vec<String> {
    let prefix = format!("<loc>http://{site}");
    let each = text.split(&prefix).skip(1);
    each.filter_map(|rest| Some(rest.split_once("</loc>")?.0.to_owned()))
        .collect()
}
