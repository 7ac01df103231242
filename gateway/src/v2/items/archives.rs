//! `archives/`: months with published articles.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use editorial_proto::v1::ListMonthsRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    v2::call::PublicCall,
    words::dates,
};

const PATH: &str = "/api/v2/archives/";

/// A month of the archive.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ArchiveMonth {
    pub(crate) year: i32,
    /// 1 to 12.
    pub(crate) month: u32,
    /// The month's name: "October".
    pub(crate) name: String,
    /// Number of articles published in the month.
    pub(crate) count: i64,
}

/// Months of the archive, latest first, in the site's time zone.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Archives {
    pub(crate) results: Vec<ArchiveMonth>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

/// The call for the archive.
pub(crate) fn list_call() -> PublicCall<Archives> {
    PublicCall::new(PATH, &[])
}

/// Months with published articles. To list a month's articles, use `articles/?from=&to=`.
#[utoipa::path(get, path = "/api/v2/archives/", operation_id = "list_archives", tag = "catalogue",
    responses((status = 200, body = Archives), (status = 304), (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(PATH, &Params::default(), &[Tag::Items]);
    catalogue.serve(&request, key, Freshness::Usual, all).await
}

async fn all(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let zone = catalogue.site.timezone.name().to_owned();
    let request = catalogue.request(ListMonthsRequest { zone });
    let months = catalogue.services.editorial().list_months(request).await?;
    let results = months
        .into_inner()
        .months
        .into_iter()
        .map(|month| ArchiveMonth {
            year: month.year,
            month: month.month,
            name: dates::month(month.month),
            count: month.count,
        });
    let archives = Archives {
        results: results.collect(),
        server_time: None,
    };
    Content::json(&archives)
}
