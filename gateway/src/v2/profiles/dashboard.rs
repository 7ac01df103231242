//! GET `profiles/me/dashboard/`: the number of things that the reader has saved.

use axum::{extract::State, response::Response};
use chassis::saved::Kind;
use cityguide_proto::bookmarks::v1::GetStampsRequest;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        session::Reader,
    },
    state::AppState,
};

/// The number of saved things of each kind.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DashboardCounts {
    favourites: i64,
}

/// The counts of the dashboard.
#[utoipa::path(get, path = "/api/v2/profiles/me/dashboard/", tag = "profiles",
    responses((status = 200, body = DashboardCounts), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn dashboard(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetStampsRequest {});
    let stamps = state
        .services
        .bookmarks()
        .get_stamps(request)
        .await?
        .into_inner()
        .stamps;
    let count = |kind: Kind| {
        let mut stamps = stamps.iter();
        let stamp = stamps.find(|stamp| stamp.kind == kind.name());
        stamp.map_or(0, |stamp| stamp.count)
    };
    Ok(personal(
        StatusCode::OK,
        &DashboardCounts {
            favourites: count(Kind::Favourites),
        },
    ))
}
