//! `robots.txt` (RFC 9309): what crawlers leave alone, and where the sitemaps are.

use axum::{extract::State, response::Response};

use super::sitemaps::{self, Sitemap};
use crate::{
    edge::{
        error::ApiError,
        public::{Address, Ageing, Asked, Made},
    },
    state::Edge,
};

const PATH: &str = "/robots.txt";

/// Pages of one reader. The API stays open: crawlers that run scripts show pages with it.
const PERSONAL: [&str; 3] = ["/accounts/", "/profiles/", "/api/v2/profiles/"];

/// GET `/robots.txt`.
pub(super) async fn robots(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    let address = Address::list(PATH, &asked.params(&[]), &[]);
    edge.serve(&asked, address, Ageing::Usual, async |edge| {
        Ok(Made::document("text/plain; charset=utf-8", text(&edge)))
    })
    .await
}

fn text(edge: &Edge) -> String {
    let origin = edge.origin.as_str();
    let mut lines = vec!["User-agent: *".to_owned()];
    lines.extend(PERSONAL.map(|path| format!("Disallow: {path}")));
    lines.push(String::new());
    lines.push(format!("Sitemap: {origin}{}", sitemaps::INDEX));
    if edge.site.has("articles") {
        lines.push(format!("Sitemap: {origin}{}", Sitemap::News.path()));
    }
    lines.push(String::new());
    lines.join("\n")
}
