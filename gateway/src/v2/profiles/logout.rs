//! POST `profiles/logout/v1/validate/`: sign out.

use axum::{extract::State, response::Response};
use chassis::origin::Origin;
use identity_proto::v1::SignOutRequest;

use crate::{
    edge::{
        answer::done,
        error::{ApiError, ErrorBody},
        session::{self, Reader},
    },
    services::Clients,
};

/// Ends the session. GET is not supported.
#[utoipa::path(post, path = "/api/v2/profiles/logout/v1/validate/", tag = "profiles",
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn logout(
    State(services): State<Clients>,
    State(origin): State<Origin>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(SignOutRequest {
        session_token: reader.secret,
    });
    services.identity().sign_out(request).await?;
    let mut response = done();
    session::clear(&mut response, &origin);
    Ok(response)
}
