//! Log-in with a Facebook access token, and the connection of a reader's account.

use axum::{extract::State, response::Response};
use http::{HeaderMap, StatusCode};
use identity_proto::v1::{
    DisconnectFacebookRequest, FacebookTokenRequest, GetFacebookConnectionRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PasswordlessSignIn, SignedIn};
use crate::{
    edge::{
        answer::{done, personal},
        body::{Body, required},
        error::{ApiError, ErrorBody},
        limits::{Client, ProvenWriter, SIGN_IN, TooMany, VisitingWriter},
        session::{self, Reader, Visitor},
    },
    services::Clients,
    state::AppState,
    v2::{intent::Intent, time},
};

/// Log-in data from Facebook.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct FacebookToken {
    /// The access token.
    #[serde(default)]
    #[schema(required = true)]
    fb_token: Option<String>,
    /// Facebook user id. The log-in is refused if the token belongs to another user.
    #[serde(default)]
    #[schema(required = true)]
    user_id: Option<String>,
    /// Ignored: the name is fetched from Facebook.
    #[serde(default)]
    #[expect(dead_code, reason = "documented, and never trusted")]
    name: Option<String>,
    #[serde(flatten)]
    intent: Intent,
}

/// Logs in to the connected account or a new account. If a reader is signed in, connects their account instead, which
/// requires a fresh proof of identity unless it is connected already. 409 if an unconnected account has the same email
/// address, or if the Facebook user is connected to another account. 404 if the site does not support Facebook log-ins.
#[utoipa::path(post, path = "/api/v2/profiles/facebook/v1/validate/", operation_id = "login_with_facebook",
    tag = "profiles", request_body = FacebookToken,
    responses((status = 200, body = SignedIn), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn validate(
    State(state): State<AppState>,
    VisitingWriter(visitor): VisitingWriter,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<FacebookToken>,
) -> Result<Response, ApiError> {
    let token = required("fb_token", body.fb_token)?;
    let user_id = required("user_id", body.user_id)?;
    client.pass(&state.limits, SIGN_IN).await?;
    let request = visitor.call(&state.services).request(FacebookTokenRequest {
        token,
        user_id,
        device: session::device(&headers),
        session_token: visitor.secret(),
    });
    let entry = state.services.facebook().login_with_token(request).await?;
    let entry = entry.into_inner();
    let Some(started) = entry.session else {
        let Visitor::Reader(reader) = visitor else {
            return Err(ApiError::not_authenticated());
        };
        let answer = SignedIn {
            id: reader.profile_id,
            redirect_url: body.intent.redirect_url(),
        };
        return Ok(personal(StatusCode::OK, &answer));
    };
    let signing_in = PasswordlessSignIn {
        state: &state,
        client: &client,
        headers: &headers,
    };
    let status = StatusCode::OK;
    Ok(signing_in
        .answer(status, &started, &entry.email, &body.intent)
        .await)
}

/// Connection of an account to Facebook.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FacebookConnection {
    is_connected: bool,
    /// When the account was connected; null if it is not connected.
    #[schema(format = DateTime)]
    date_connected: Option<String>,
}

/// The connection of the reader's account to Facebook. 404 if the site does not support Facebook log-ins.
#[utoipa::path(get, path = "/api/v2/profiles/me/facebook/", operation_id = "get_facebook", tag = "profiles",
    responses((status = 200, body = FacebookConnection), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn connection(
    State(services): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetFacebookConnectionRequest {});
    let found = services.facebook().get_connection(request).await?;
    let connected = found.into_inner().date_connected;
    let answer = FacebookConnection {
        is_connected: connected.is_some(),
        date_connected: time::text(connected.as_ref()),
    };
    Ok(personal(StatusCode::OK, &answer))
}

/// Ends the connection; has no effect if the account is not connected. 400 if Facebook is the only way to sign in. 404
/// if the site does not support Facebook log-ins. Requires a fresh proof of identity.
#[utoipa::path(delete, path = "/api/v2/profiles/me/facebook/", operation_id = "disconnect_facebook", tag = "profiles",
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn disconnect(
    State(services): State<Clients>,
    ProvenWriter(reader): ProvenWriter,
) -> Result<Response, ApiError> {
    let request = reader.call.request(DisconnectFacebookRequest {});
    services.facebook().disconnect(request).await?;
    Ok(done())
}
