//! `newsletters/confirm/{token}/`: target of the link in confirmation emails.

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::call::Caller;
use http::StatusCode;
use newsletters_proto::v1::{
    ConfirmRequest, Confirmation as Confirmed, GetConfirmationRequest, RefuseRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::{done, personal},
        body::FlagsBody,
        error::{ApiError, ErrorBody},
        limits::{CountedRead, TooMany, VisitingWriter},
    },
    services::Clients,
};

/// A pending confirmation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Confirmation {
    /// The shortened address: `a…@example.com`.
    address: String,
    /// Names of the newsletters, as in the settings.
    newsletters: Vec<String>,
}

impl From<Confirmed> for Confirmation {
    fn from(confirmed: Confirmed) -> Self {
        Self {
            address: confirmed.address,
            newsletters: confirmed.kinds,
        }
    }
}

/// The decision of the address's owner.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct Decision {
    /// Refuse all further requests to this address instead of confirming the newsletters.
    refuse: bool,
}

/// Returns the subscriptions that a link would confirm. Only POST confirms them, because programs that scan emails also
/// follow links.
#[utoipa::path(get, path = "/api/v2/newsletters/confirm/{token}/", operation_id = "newsletter_confirmation",
    tag = "newsletters", params(("token" = String, Path)),
    responses((status = 200, body = Confirmation), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn show(
    State(services): State<Clients>,
    _counted: CountedRead,
    Path(token): Path<String>,
) -> Result<Response, ApiError> {
    let call = services.call(Caller::Guest);
    let request = call.request(GetConfirmationRequest { token });
    let found = services.mailed_links().get_confirmation(request).await?;
    let found = Confirmation::from(found.into_inner());
    Ok(personal(StatusCode::OK, &found))
}

/// Confirms subscriptions once, or blocks further confirmation requests to this address.
#[utoipa::path(post, path = "/api/v2/newsletters/confirm/{token}/", operation_id = "confirm_newsletters",
    tag = "newsletters", params(("token" = String, Path)), request_body(content((Decision = "application/json"), (Decision = "application/x-www-form-urlencoded"))),
    responses((status = 200, body = Confirmation), (status = 204, description = "The address is not asked again."),
        (status = 400, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn confirm(
    State(services): State<Clients>,
    _counted: VisitingWriter,
    Path(token): Path<String>,
    FlagsBody(decision): FlagsBody<Decision>,
) -> Result<Response, ApiError> {
    let call = services.call(Caller::Guest);
    let mut links = services.mailed_links();
    if decision.refuse {
        links.refuse(call.request(RefuseRequest { token })).await?;
        return Ok(done());
    }
    let confirmed = links
        .confirm(call.request(ConfirmRequest { token }))
        .await?;
    let confirmed = Confirmation::from(confirmed.into_inner());
    Ok(personal(StatusCode::OK, &confirmed))
}
