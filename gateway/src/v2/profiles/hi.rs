//! GET `profiles/hi/`: when the reader's data last changed. It calls the services that store the data, so it is correct
//! even if the broker is unavailable.

use axum::{extract::State, response::Response};
use chassis::{call::Caller, instant};
use cityguide_proto::saved::v1::GetStampsRequest;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        limits::TooMany,
        session::Reader,
    },
    state::AppState,
    v2::saved::last_updates::LastUpdates,
};

/// When the reader's saved objects last changed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Hi {
    /// The profile's id.
    pub(super) id: i64,
    pub(super) last_updates: LastUpdates,
    #[schema(format = DateTime)]
    pub(super) server_time: String,
}

/// Fetches the times from the services that store the objects.
pub(super) async fn ask(state: &AppState, reader: &Reader) -> Result<Hi, ApiError> {
    let call = state.services.call(Caller::Reader(reader.profile_id));
    let request = || call.request(GetStampsRequest {});
    let (mut bookmarks, mut ratings) = (state.services.bookmarks(), state.services.ratings());
    let (bookmarks, ratings) = tokio::try_join!(
        bookmarks.get_stamps(request()),
        ratings.get_stamps(request()),
    )?;
    let (bookmarks, ratings) = (bookmarks.into_inner().stamps, ratings.into_inner().stamps);
    let updates = bookmarks
        .into_iter()
        .chain(ratings)
        .filter_map(|stamp| Some((stamp.kind, stamp.at.as_ref().and_then(instant::from_proto)?)));
    Ok(Hi {
        id: reader.profile_id,
        last_updates: LastUpdates::new(updates),
        server_time: instant::to_rfc3339(state.clock.now()),
    })
}

/// Times of the reader's last changes, by kind.
#[utoipa::path(get, path = "/api/v2/profiles/hi/", tag = "profiles",
    responses((status = 200, body = Hi), (status = 401, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn hi(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    Ok(personal(StatusCode::OK, &ask(&state, &reader).await?))
}
