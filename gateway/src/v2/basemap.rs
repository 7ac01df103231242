//! GET `basemap/`: the map below the site's places.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chassis::error::{Code, Fault};
use places_proto::v1::GetBasemapRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const PATH: &str = "/api/v2/basemap/";

/// Main streets, rails, parks and water: a GeoJSON `FeatureCollection` (RFC 7946), without features if the site has no
/// map.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Basemap {
    /// `FeatureCollection`.
    r#type: &'static str,
    /// Each feature has the properties `kind` (`water`, `park`, `rail`, `tram`, `street` or `motorway`) and `name`, and
    /// a `MultiLineString` or `MultiPolygon`.
    #[schema(value_type = Vec<Object>)]
    features: Vec<Value>,
    /// The credit to show with the map; null if none is required.
    credit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// A stored map.
#[derive(Deserialize)]
struct Stored {
    features: Vec<Value>,
}

/// The map below the site's places. It changes only when the publisher imports another.
#[utoipa::path(get, path = "/api/v2/basemap/", operation_id = "get_basemap", tag = "catalogue",
    responses((status = 200, body = Basemap), (status = 304), (status = 503, body = ErrorBody)))]
pub(crate) async fn basemap(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(PATH, &Params::default(), &[Tag::Areas]);
    catalogue.serve(&request, key, Freshness::Usual, map).await
}

async fn map(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let request = catalogue.request(GetBasemapRequest {});
    let map = catalogue.services.places().get_basemap(request).await?;
    let map = map.into_inner();
    let features = if map.geojson.is_empty() {
        Ok(Vec::new())
    } else {
        serde_json::from_str::<Stored>(&map.geojson).map(|stored| stored.features)
    };
    let features = features.map_err(|error| {
        let message = format!("the base map cannot be read: {error}");
        Fault::new(Code::Internal, message)
    })?;
    Content::json(&Basemap {
        r#type: "FeatureCollection",
        features,
        credit: (!map.credit.is_empty()).then_some(map.credit),
        server_time: None,
    })
}
