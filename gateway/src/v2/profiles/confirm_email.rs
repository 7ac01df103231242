//! POST `profiles/me/email-confirmation/` and `profiles/confirm-email/`: confirmation of email addresses.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use http::StatusCode;
use identity_proto::v1::{ConfirmEmailRequest, SendEmailConfirmationRequest};
use serde::Deserialize;
use utoipa::ToSchema;

use super::reset_password::EmailAddress;
use crate::{
    edge::{
        answer::{done, personal},
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, Limits, MAILED_LINKS, SIGN_IN, TooMany, Writer},
    },
    services::Clients,
};

/// The secret of an emailed link.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ConfirmEmail {
    /// From the link: the part after `#`.
    token: String,
}

/// Sends another confirmation link to the reader's pending address, or to the account's own address if it is not
/// confirmed.
#[utoipa::path(post, path = "/api/v2/profiles/me/email-confirmation/",
    operation_id = "send_email_confirmation", tag = "profiles",
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn send(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    Writer(reader): Writer,
    client: Client,
) -> Result<Response, ApiError> {
    client.pass_as(&reader, &limits, MAILED_LINKS).await?;
    let request = reader.call.request(SendEmailConfirmationRequest {});
    services.identity().send_email_confirmation(request).await?;
    Ok(done())
}

/// Confirms an address with the secret of an emailed link. A pending address replaces the account's address.
#[utoipa::path(post, path = "/api/v2/profiles/confirm-email/", operation_id = "confirm_email",
    tag = "profiles", request_body = ConfirmEmail,
    responses((status = 200, body = EmailAddress, description = "The confirmed address."),
        (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn confirm(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    client: Client,
    Body(body): Body<ConfirmEmail>,
) -> Result<Response, ApiError> {
    client.pass(&limits, SIGN_IN).await?;
    let request = ConfirmEmailRequest { token: body.token };
    let request = services.call(Caller::Guest).request(request);
    let account = services.identity().confirm_email(request).await?;
    let email = account.into_inner().email;
    Ok(personal(StatusCode::OK, &EmailAddress { email }))
}
