//! GET `profiles/oauth-authorization`: authorisation of the site to write to a reader's calendar.

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

/// Start of a calendar authorisation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OauthAuthorization {
    /// Address of the page that asks for the reader's consent, valid for this session and ten minutes.
    authorization_url: String,
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct OauthParams {
    /// Page to return to. An address outside this site is replaced by the front page.
    next_url: Option<String>,
}

/// Starts an authorisation of the reader's calendar, which the same session can complete once. Consent connects the
/// calendar and saves the event that was rejected with status 101. A denial resets the calendar choice to null. 404 if
/// the site does not support calendars.
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
