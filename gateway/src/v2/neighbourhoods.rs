//! GET `neighbourhoods/`: the parts of the city.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use cityguide_proto::places::v1::ListNeighbourhoodsRequest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{Address, Ageing, Asked, Made, Tag},
    },
    state::Edge,
};

const PATH: &str = "/api/v2/neighbourhoods/";

/// A part of the city.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Neighbourhood {
    id: i64,
    name: String,
    slug: String,
    share_url: String,
    /// Places within.
    count: i64,
}

/// All of them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Neighbourhoods {
    results: Vec<Neighbourhood>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The neighbourhoods, by name.
#[utoipa::path(get, path = "/api/v2/neighbourhoods/", operation_id = "list_neighbourhoods",
    tag = "catalogue",
    responses((status = 200, body = Neighbourhoods), (status = 304),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    let address = Address::list(PATH, &Params::default(), &[Tag::Areas, Tag::Listings]);
    edge.serve(&asked, address, Ageing::Usual, all).await
}

async fn all(edge: Edge) -> Result<Made, ApiError> {
    let call = edge.call(Caller::Guest);
    let request = call.request(ListNeighbourhoodsRequest {});
    let answer = edge.services.places().list_neighbourhoods(request).await?;
    let results = answer
        .into_inner()
        .neighbourhoods
        .into_iter()
        .map(|area| Neighbourhood {
            id: area.id,
            name: area.name,
            share_url: format!("/neighbourhoods/{}/", area.slug),
            slug: area.slug,
            count: area.count,
        })
        .collect();
    Made::of(&Neighbourhoods {
        results,
        server_time: None,
    })
}
