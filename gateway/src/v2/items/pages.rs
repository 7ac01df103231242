//! `pages/{slug}/`: the site's static pages.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use cityguide_proto::editorial::v1::GetPageRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::time;
use crate::{
    edge::{
        error::{ApiError, ErrorBody},
        id::Slug,
        public::{Address, Ageing, Asked, Made, Tag},
    },
    state::Edge,
};

const PATH: &str = "/api/v2/pages/";

/// A static page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StaticPage {
    id: i64,
    slug: String,
    name: String,
    share_url: String,
    excerpt: String,
    /// Sanitised HTML.
    body: String,
    #[schema(format = DateTime)]
    date_published: Option<String>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// A static page by its slug: privacy, termsofservice, jobs.
#[utoipa::path(get, path = "/api/v2/pages/{slug}/", operation_id = "get_page", tag = "catalogue",
    params(("slug" = String, Path)),
    responses((status = 200, body = StaticPage), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn page(
    State(edge): State<Edge>,
    asked: Asked,
    Slug(slug): Slug,
) -> Result<Response, ApiError> {
    let address = Address::one(PATH, &slug, &[Tag::Items]);
    edge.serve(&asked, address, Ageing::Usual, |edge| one(edge, slug))
        .await
}

async fn one(edge: Edge, slug: String) -> Result<Made, ApiError> {
    let request = edge.call(Caller::Guest).request(GetPageRequest { slug });
    let detail = edge
        .services
        .editorial()
        .get_page(request)
        .await?
        .into_inner();
    let item = detail.item.unwrap_or_default();
    let page = StaticPage {
        id: item.id,
        date_published: time(item.date_published.as_ref()),
        slug: item.slug,
        name: item.name,
        share_url: item.path,
        excerpt: item.excerpt,
        body: detail.body_html,
        server_time: None,
    };
    Made::of(&page)
}
