//! POST `profiles/me/email-confirmation/` and `profiles/confirm-email/`: confirmation of email addresses.

use axum::{extract::State, response::Response};
use http::StatusCode;
use identity_proto::v1::{self as proto, ConfirmEmailRequest, SendEmailConfirmationRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Access;
use crate::{
    edge::{
        answer::{done, personal},
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, Limits, MAILED_LINKS, SIGN_IN, TooMany, Writer},
        session::Visitor,
    },
    services::Clients,
};

/// The secret of an emailed link.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ConfirmEmail {
    /// From the link: the part after `#`.
    token: String,
    /// Required unless the browser is signed in to the account; without it, the response has `is_confirmed: false`.
    access: Option<AccessChoice>,
}

/// Decision about the sign-in methods of the account.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AccessChoice {
    /// The sign-in methods remain.
    Keep,
    /// All sign-in methods end, including the password and the sessions.
    End,
}

/// Outcome of a confirmation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EmailConfirmation {
    email: String,
    /// False if somebody else may have created the account, and `access` is missing: nothing has changed, and the link
    /// still works.
    is_confirmed: bool,
    access: Access,
    /// The secret of a link that sets a new password, if all sign-in methods have ended; otherwise null.
    password_token: Option<String>,
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

/// Confirms an address with the secret of an emailed link. A pending address replaces the account's address. Anyone can
/// create an account with somebody else's address. Unless the browser is signed in to the account, the call therefore
/// returns everything that gives access to it, and requires a choice in `access`.
#[utoipa::path(post, path = "/api/v2/profiles/confirm-email/", operation_id = "confirm_email",
    tag = "profiles", request_body = ConfirmEmail,
    responses((status = 200, body = EmailConfirmation),
        (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn confirm(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    visitor: Visitor,
    client: Client,
    Body(body): Body<ConfirmEmail>,
) -> Result<Response, ApiError> {
    client.pass(&limits, SIGN_IN).await?;
    let choice = match body.access {
        None => proto::AccessChoice::Unspecified,
        Some(AccessChoice::Keep) => proto::AccessChoice::Keep,
        Some(AccessChoice::End) => proto::AccessChoice::End,
    };
    let request = ConfirmEmailRequest {
        token: body.token,
        choice: choice.into(),
    };
    let request = visitor.call(&services).request(request);
    let confirmation = services.identity().confirm_email(request).await?;
    let confirmation = confirmation.into_inner();
    let token = confirmation.password_token;
    let confirmation = EmailConfirmation {
        email: confirmation.email,
        is_confirmed: confirmation.is_confirmed,
        access: Access::from(confirmation.access.unwrap_or_default()),
        password_token: (!token.is_empty()).then_some(token),
    };
    Ok(personal(StatusCode::OK, &confirmation))
}
