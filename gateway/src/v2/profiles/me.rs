//! GET `profiles/me/`: the reader's own profile.

use axum::{extract::State, response::Response};
use chassis::instant;
use cityguide_proto::identity::v1::GetProfileRequest;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        session::Reader,
    },
    services::Clients,
    v2::saved::last_updates::LastUpdates,
};

/// A reader's profile.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Profile {
    id: i64,
    full_name: String,
    /// Up to the first space.
    first_name: String,
    /// The rest; empty if there is only one name.
    last_name: String,
    email: String,
    email_verified: bool,
    last_updates: LastUpdates,
}

/// The reader's own profile.
#[utoipa::path(get, path = "/api/v2/profiles/me/", tag = "profiles",
    responses((status = 200, body = Profile), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn me(
    State(services): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetProfileRequest {});
    let profile = services.identity().get_profile(request).await?.into_inner();
    let (first_name, last_name) = names(&profile.full_name);
    let updates = profile
        .last_updates
        .iter()
        .filter_map(|(kind, at)| Some((kind.clone(), instant::from_proto(at)?)));
    let answer = Profile {
        id: profile.id,
        first_name: first_name.to_owned(),
        last_name: last_name.to_owned(),
        last_updates: LastUpdates::new(updates),
        full_name: profile.full_name,
        email: profile.email,
        email_verified: profile.email_verified,
    };
    Ok(personal(StatusCode::OK, &answer))
}

fn names(full: &str) -> (&str, &str) {
    full.split_once(' ').unwrap_or((full, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_name_is_split_at_its_first_space() {
        assert_eq!(names("Ada"), ("Ada", ""));
        assert_eq!(names("Ada King Lovelace"), ("Ada", "King Lovelace"));
    }
}
