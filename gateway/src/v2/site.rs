//! GET `site/`: the site's settings for pages.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chassis::origin::Origin;
use serde::Serialize;
use site::PageSite;
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest},
    },
};

const PATH: &str = "/api/v2/site/";

/// Settings of the site.
#[derive(Serialize, ToSchema)]
pub(crate) struct SiteAnswer<'a> {
    #[serde(flatten)]
    site: PageSite<'a>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The site's settings: name, city, sections, menus.
#[utoipa::path(get, path = "/api/v2/site/", tag = "catalogue",
    responses((status = 200, body = SiteAnswer), (status = 304)))]
pub(crate) async fn site(
    State(catalogue): State<Arc<Catalogue>>,
    State(origin): State<Origin>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(PATH, &Params::default(), &[]);
    let content = async move |catalogue: Arc<Catalogue>| {
        Content::json(&SiteAnswer {
            site: PageSite::new(&catalogue.site, &origin),
            server_time: None,
        })
    };
    catalogue
        .serve(&request, key, Freshness::Usual, content)
        .await
}
