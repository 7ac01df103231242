//! `articles/`: the site's articles.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use editorial_proto::v1::{Item, Kind, ListItemsRequest};
use serde::{Deserialize, Serialize};
use site::Site;
use utoipa::ToSchema;

use super::{
    Card,
    resource::{self, ItemResource},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{Freshness, PublicRequest},
    },
    words::this_year::ThisYear,
};

/// A section of the site.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SectionRef {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) share_url: String,
}

impl SectionRef {
    /// A section by its slug, with the name in the site's file.
    fn new(site: &Site, slug: &str) -> Self {
        let share_url = format!("/{slug}/");
        let name = site.section_name(slug).unwrap_or(slug).to_owned();
        Self {
            slug: slug.to_owned(),
            name,
            share_url,
        }
    }
}

/// An article.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Article {
    #[serde(flatten)]
    pub(crate) card: Card,
    pub(crate) section: SectionRef,
    /// Sanitised HTML; empty if the article is age-restricted. In lists, only with `bundle_type=full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed; only in the response for a single article.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl ItemResource for Article {
    const KIND: Kind = Kind::Article;
    const PATH: &'static str = "/api/v2/articles/";
    const KNOWN: &'static [&'static str] = &[
        "after",
        "author",
        "bundle_type",
        "from",
        "ids",
        "keywords",
        "limit",
        "offset",
        "ordering",
        "section",
        "tag",
        "to",
    ];
    const FRESHNESS: Freshness = Freshness::Usual;

    fn filter(
        site: &Site,
        params: &Params,
        request: &mut ListItemsRequest,
    ) -> Result<(), ApiError> {
        request.section = params.slug("section")?;
        request.author = params.slug("author")?;
        request.tag = params.slug("tag")?;
        request.from = params.time("from", site.timezone)?;
        request.to = params.time("to", site.timezone)?;
        request.with_text = params.one_of("bundle_type", &["simple", "full"])? == Some("full");
        Ok(())
    }

    fn new(site: &Site, year: &ThisYear, item: Item, body: Option<String>) -> Self {
        Self {
            section: SectionRef::new(site, &item.section),
            card: Card::new(site, year, item),
            body,
            server_time: None,
        }
    }
}

/// Articles, by default newest first.
#[utoipa::path(get, path = "/api/v2/articles/", operation_id = "list_articles", tag = "catalogue",
    params(
        ("section" = Option<String>, Query, description = "A section's slug."),
        ("author" = Option<String>, Query, description = "An author's slug."),
        ("tag" = Option<String>, Query, description = "A tag's slug."),
        ("from" = Option<String>, Query, description = "Published from this day of the site's zone, or this instant, on."),
        ("to" = Option<String>, Query, description = "Published before this day or instant."),
        ("bundle_type" = Option<String>, Query, pattern = "^(simple|full)?$", description = "simple (a card's fields) or full (the text too)."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        PageParams,
    ),
    responses((status = 200, body = Page<Article>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    resource::list::<Article>(catalogue, request).await
}

/// An article with its text. The text of an age-restricted article is omitted.
#[utoipa::path(get, path = "/api/v2/articles/{id}/", operation_id = "get_article", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Article), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::detail::<Article>(catalogue, request, id).await
}
