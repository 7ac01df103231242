//! GET `ads/advertisers/`: current advertisers.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ads::AdServer,
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest},
    },
    v2::call::PublicCall,
};

const PATH: &str = "/api/v2/ads/advertisers/";

/// An advertiser with a running campaign.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Advertiser {
    slug: String,
    /// The name shown in the advertiser's ads.
    pub(crate) name: String,
}

/// Current advertisers.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Advertisers {
    pub(crate) results: Vec<Advertiser>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The call for current advertisers.
pub(crate) fn list_call() -> PublicCall<Advertisers> {
    PublicCall::new(PATH, &[])
}

/// Advertisers with running campaigns, ordered by name. Excludes paused campaigns and the site's own ads.
#[utoipa::path(get, path = "/api/v2/ads/advertisers/", operation_id = "listAdvertisers", tag = "ads",
    responses((status = 200, body = Advertisers), (status = 304)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    State(server): State<AdServer>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(PATH, &Params::default(), &[]);
    catalogue
        .serve(&request, key, Freshness::Short, async move |_| all(&server))
        .await
}

fn all(server: &AdServer) -> Result<Content, ApiError> {
    let found = server.advertisers();
    let results = found.all.into_iter();
    let answer = Advertisers {
        results: results
            .map(|(slug, name)| Advertiser { slug, name })
            .collect(),
        server_time: None,
    };
    Content::json(&answer).map(|content| content.until(Some(found.until)))
}
