//! `pages/{slug}/`: the site's static pages.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use editorial_proto::v1::GetPageRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        id::Slug,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    v2::{call::PublicCall, time},
};

const PATH: &str = "/api/v2/pages/";

/// A static page.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct StaticPage {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) share_url: String,
    pub(crate) excerpt: String,
    /// Sanitised HTML.
    pub(crate) body: String,
    #[schema(format = DateTime)]
    pub(crate) date_published: Option<String>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

/// The call for a static page.
pub(crate) fn detail_call(slug: &str) -> PublicCall<StaticPage> {
    PublicCall::new(&format!("{PATH}{slug}/"), &[])
}

/// A static page by its slug, such as `privacy`, `termsofservice` or `jobs`.
#[utoipa::path(get, path = "/api/v2/pages/{slug}/", operation_id = "get_page", tag = "catalogue",
    params(("slug" = String, Path)),
    responses((status = 200, body = StaticPage), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn page(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Slug(slug): Slug,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(PATH, &slug, &[Tag::Items]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            one(catalogue, slug)
        })
        .await
}

async fn one(catalogue: Arc<Catalogue>, slug: String) -> Result<Content, ApiError> {
    let request = catalogue.request(GetPageRequest { slug });
    let detail = catalogue
        .services
        .editorial()
        .get_page(request)
        .await?
        .into_inner();
    let item = detail.item.unwrap_or_default();
    let page = StaticPage {
        id: item.id,
        date_published: time::text(item.date_published.as_ref()),
        slug: item.slug,
        name: item.name,
        share_url: item.path,
        excerpt: item.excerpt,
        body: detail.body_html,
        server_time: None,
    };
    Content::json(&page)
}
