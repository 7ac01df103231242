//! `archives/`: the months in which articles were published.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use cityguide_proto::editorial::v1::ListMonthsRequest;
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

const PATH: &str = "/api/v2/archives/";

/// A month of the archive.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArchiveMonth {
    year: i32,
    /// 1 to 12.
    month: u32,
    /// Articles published in it.
    count: i64,
}

/// The archive's months, the latest first, in the site's zone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Archives {
    results: Vec<ArchiveMonth>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The months in which articles were published; `articles/?from=&to=` lists one.
#[utoipa::path(get, path = "/api/v2/archives/", operation_id = "list_archives", tag = "catalogue",
    responses((status = 200, body = Archives), (status = 304), (status = 503, body = ErrorBody)))]
pub(crate) async fn list(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    let address = Address::list(PATH, &Params::default(), &[Tag::Items]);
    edge.serve(&asked, address, Ageing::Usual, all).await
}

async fn all(edge: Edge) -> Result<Made, ApiError> {
    let zone = edge.site.timezone.name().to_owned();
    let request = edge.call(Caller::Guest).request(ListMonthsRequest { zone });
    let months = edge.services.editorial().list_months(request).await?;
    let results = months
        .into_inner()
        .months
        .into_iter()
        .map(|month| ArchiveMonth {
            year: month.year,
            month: month.month,
            count: month.count,
        });
    let archives = Archives {
        results: results.collect(),
        server_time: None,
    };
    Made::of(&archives)
}
