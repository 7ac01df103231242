//! The addresses that a site has, as its sitemaps and lists tell them.

use anyhow::ensure;
use reqwest::Client;
use serde_json::Value;

/// Public answers of the API whose tags clients know.
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

/// The addresses of a site.
#[derive(Debug, Default)]
pub(crate) struct City {
    /// The paths of pages.
    pub(crate) pages: Vec<String>,
    /// Those of places among them.
    pub(crate) place_pages: Vec<String>,
    /// Those of articles.
    pub(crate) article_pages: Vec<String>,
    /// The paths of answers of the API.
    pub(crate) answers: Vec<String>,
    /// The paths of pictures.
    pub(crate) pictures: Vec<String>,
    /// Answers of the API with their tags.
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
            let tag = tag.and_then(|tag| tag.to_str().ok()).map(str::to_owned);
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
        for list in LISTS {
            let (_, tag) = get(list).await?;
            let known = tag.map(|tag| (list.to_owned(), tag));
            city.known.extend(known);
            city.answers.push(list.to_owned());
        }
        for list in &LISTS[..4] {
            let text = get(&format!("{list}?limit=100")).await?.0;
            city.pictures.extend(pictures(&text));
            let ids = ids(&serde_json::from_str(&text)?);
            city.answers
                .extend(ids.iter().map(|id| format!("{list}{id}/")));
            if city.places.is_empty() {
                city.places = ids;
            }
        }
        let Self {
            pages,
            pictures,
            places,
            ..
        } = &city;
        let kinds = [&city.place_pages, &city.article_pages];
        ensure!(
            kinds.iter().all(|paths| !paths.is_empty()),
            "the sitemaps list no places, or no articles"
        );
        ensure!(
            !pages.is_empty() && !pictures.is_empty() && !places.is_empty(),
            "the site has {} pages, {} pictures, {} places",
            pages.len(),
            pictures.len(),
            places.len()
        );
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

/// The addresses of pictures in an answer of the API.
fn pictures(text: &str) -> Vec<String> {
    let each = text.split('"').filter_map(|part| {
        let at = part.find("/media/")?;
        Some(part[at..].to_owned())
    });
    each.collect()
}

/// The ids of the results of a list.
fn ids(list: &Value) -> Vec<i64> {
    let results = list["results"].as_array().into_iter().flatten();
    results.filter_map(|one| one["id"].as_i64()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_from_sitemaps_and_lists() {
        let sitemap = "<urlset><url><loc>http://a:1/x/</loc></url><url><loc>http://a:1/y/</loc></url></urlset>";
        assert_eq!(locations(sitemap, "a:1"), ["/x/", "/y/"]);
        let list =
            r#"{"results":[{"id":7,"image":"http://a:1/media/1.jpg"},{"id":8,"image":null}]}"#;
        assert_eq!(pictures(list), ["/media/1.jpg"]);
        assert_eq!(ids(&serde_json::from_str(list).expect("JSON")), [7, 8]);
    }
}
