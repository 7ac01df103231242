//! GET `profiles/oauth-authorization`: the way to the page on which a reader lets the site write to their calendar.

use axum::{extract::State, response::Response};
use chassis::origin::Origin;
use http::StatusCode;
use identity_proto::v1::BeginAuthorizationRequest;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        limits::{TooMany, Writer},
        params::Params,
        redirect,
    },
    services::Clients,
};

/// The way to a calendar's page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OauthAuthorization {
    /// The page that asks for the reader's consent, for this session and the next ten minutes.
    authorization_url: String,
}

/// The parameters, in the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct OauthParams {
    /// The page to return to, of this site only; any other becomes the front page.
    next_url: Option<String>,
}

/// Begins an authorisation of the reader's calendar. The session that begins it completes it, once: consent connects the
/// calendar and saves the event that was answered with status 101; a denial sets the calendar choice back to null. 404
/// where the site has no calendars.
#[utoipa::path(get, path = "/api/v2/profiles/oauth-authorization", operation_id = "begin_oauth_authorization",
    tag = "profiles", params(OauthParams),
    responses((status = 200, body = OauthAuthorization), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn begin(
    State(services): State<Clients>,
    State(origin): State<Origin>,
    Writer(reader): Writer,
    params: Params,
) -> Result<Response, ApiError> {
    let next = redirect::own_page(params.text("next_url")?, &origin).to_owned();
    let request = reader.call.request(BeginAuthorizationRequest {
        session_token: reader.secret.clone(),
        next,
    });
    let begun = services.calendars().begin_authorization(request).await?;
    let answer = OauthAuthorization {
        authorization_url: begun.into_inner().authorization_url,
    };
    Ok(personal(StatusCode::OK, &answer))
}
