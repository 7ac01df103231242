//! POST `profiles/reset-password/`, `…/check/` and `…/confirm/`: password reset by an emailed link.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use http::StatusCode;
use identity_proto::v1::{
    CheckResetLinkRequest, RequestPasswordResetRequest, ResetPasswordRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Access;
use crate::{
    edge::{
        answer::personal,
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, Limits, MAILED_LINKS, SIGN_IN, TooMany, VisitingWriter},
        session::Visitor,
    },
    services::Clients,
};

/// A request for a new password.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ResetPassword {
    email: String,
}

/// An email address.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EmailAddress {
    email: String,
}

/// A new password with the secret of an emailed link.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ConfirmReset {
    /// From the link: the part after `#`.
    token: String,
    /// 8 to 128 characters; must not be a common or easily guessed password, or the email.
    new_password: String,
}

/// Emails a link for setting a new password if an account has this address; the response is always the same. The link
/// can be used once, within an hour.
#[utoipa::path(post, path = "/api/v2/profiles/reset-password/", operation_id = "reset_password",
    tag = "profiles", request_body = ResetPassword,
    responses((status = 200, body = EmailAddress, description = "The address as it was sent."), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn reset_password(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    client: Client,
    Body(ResetPassword { email }): Body<ResetPassword>,
) -> Result<Response, ApiError> {
    let request = RequestPasswordResetRequest {
        email: email.clone(),
    };
    let request = services.call(Caller::Guest).request(request);
    let mailing = async { Ok(services.identity().request_password_reset(request).await?) };
    client
        .count_if_valid(&limits, MAILED_LINKS, mailing)
        .await?;
    Ok(personal(StatusCode::OK, &EmailAddress { email }))
}

/// The link to check.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct CheckReset {
    /// From the link: the part after `#`.
    token: String,
}

/// Whether a link works.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CheckedReset {
    /// False if the link has expired or was used.
    is_valid: bool,
}

/// Checks whether an emailed link can set a new password, without using it.
#[utoipa::path(post, path = "/api/v2/profiles/reset-password/check/", operation_id = "check_reset",
    tag = "profiles", request_body = CheckReset,
    responses((status = 200, body = CheckedReset), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn check_reset(
    State(services): State<Clients>,
    VisitingWriter(visitor): VisitingWriter,
    Body(CheckReset { token }): Body<CheckReset>,
) -> Result<Response, ApiError> {
    if token.is_empty() {
        return Err(ApiError::field("token", "This field may not be blank."));
    }
    let request = visitor
        .call(&services)
        .request(CheckResetLinkRequest { token });
    let checked = services.identity().check_reset_link(request).await?;
    let is_valid = checked.into_inner().is_valid;
    Ok(personal(StatusCode::OK, &CheckedReset { is_valid }))
}

/// The account whose password was set.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Reset {
    /// The account's address.
    email: String,
    access: Access,
}

/// Sets a new password with the secret of an emailed link. Ends all sessions of the account, its calendar feed and
/// pending authorisations. If the address was not confirmed before, also ends its passkeys, its connection with Facebook
/// and its calendar, which may be a stranger's, unless the browser is signed in to the account.
#[utoipa::path(post, path = "/api/v2/profiles/reset-password/confirm/", operation_id = "confirm_reset",
    tag = "profiles", request_body = ConfirmReset,
    responses((status = 200, body = Reset),
        (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn confirm_reset(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    visitor: Visitor,
    client: Client,
    Body(body): Body<ConfirmReset>,
) -> Result<Response, ApiError> {
    // Hashing the password costs as much as a sign-in.
    client.pass(&limits, SIGN_IN).await?;
    let request = ResetPasswordRequest {
        token: body.token,
        new_password: body.new_password,
    };
    let request = visitor.call(&services).request(request);
    let reset = services
        .identity()
        .reset_password(request)
        .await?
        .into_inner();
    let reset = Reset {
        email: reset.email,
        access: Access::from(reset.access.unwrap_or_default()),
    };
    Ok(personal(StatusCode::OK, &reset))
}
