//! GET `ads/advertisers/`: who advertises now.

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

/// An advertiser with a campaign that is running.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Advertiser {
    slug: String,
    /// As its ads show it.
    pub(crate) name: String,
}

/// Everybody who advertises now.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Advertisers {
    pub(crate) results: Vec<Advertiser>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The call of everybody who advertises now.
pub(crate) fn list_call() -> PublicCall<Advertisers> {
    PublicCall::new(PATH, &[])
}

/// The advertisers whose campaigns are running and not paused, by name. What the site advertises for itself is left out.
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
