//! `profiles/facebook/deletion/`: Facebook's requests to delete a user's data.

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::{call::Caller, origin::Origin};
use http::StatusCode;
use identity_proto::v1::{DeleteFacebookDataRequest, GetFacebookDeletionRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::personal,
        body::{FormBody, required},
        error::{ApiError, ErrorBody},
        limits::{Client, Limits, SIGN_IN, TooMany, VisitingWriter},
    },
    services::Clients,
    v2::time,
};

/// A deletion request in Facebook's format.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct DataDeletion {
    /// The signature with the app's secret and the payload, both in base64, separated by a full stop.
    #[serde(default)]
    #[schema(required = true)]
    signed_request: Option<String>,
}

/// Response for Facebook's user.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DataDeletionAccepted {
    /// Address of a page that shows the outcome.
    url: String,
    /// Letters and digits.
    confirmation_code: String,
}

/// Facebook's callback for data deletion. Ends the connection. If the account has no other way to sign in, it is
/// erased. 404 if the site does not support Facebook log-ins.
#[utoipa::path(post, path = "/api/v2/profiles/facebook/deletion/", operation_id = "delete_facebook_data",
    tag = "profiles",
    request_body(content((DataDeletion = "application/x-www-form-urlencoded"), (DataDeletion = "application/json"))),
    responses((status = 200, body = DataDeletionAccepted), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn delete(
    State(services): State<Clients>,
    State(origin): State<Origin>,
    VisitingWriter(visitor): VisitingWriter,
    FormBody(body): FormBody<DataDeletion>,
) -> Result<Response, ApiError> {
    let signed_request = required("signed_request", body.signed_request)?;
    let call = visitor.call(&services);
    let request = call.request(DeleteFacebookDataRequest { signed_request });
    let deleted = services.facebook().delete_data(request).await?;
    let confirmation_code = deleted.into_inner().confirmation_code;
    let answer = DataDeletionAccepted {
        url: format!(
            "{}/profiles/facebook-deletion#{confirmation_code}",
            origin.as_str()
        ),
        confirmation_code,
    };
    Ok(personal(StatusCode::OK, &answer))
}

/// Outcome of a deletion request.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DeletionOutcome {
    /// No account was connected to the Facebook user.
    NothingStored,
    /// The connection was ended. The account remains, because it has another way to sign in.
    Disconnected,
    /// The account was erased, and a receipt was emailed.
    AccountErased,
}

/// A completed deletion request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FacebookDeletion {
    #[schema(value_type = DeletionOutcome)]
    outcome: String,
    #[schema(format = DateTime)]
    date_requested: Option<String>,
}

/// Outcome of a deletion request. 404 if the code is unknown or older than 30 days.
#[utoipa::path(get, path = "/api/v2/profiles/facebook/deletion/{code}/", operation_id = "read_facebook_deletion",
    tag = "profiles", params(("code" = String, Path, pattern = "^[A-Za-z0-9]{1,100}$")),
    responses((status = 200, body = FacebookDeletion), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn deletion(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    client: Client,
    Path(code): Path<String>,
) -> Result<Response, ApiError> {
    client.pass(&limits, SIGN_IN).await?;
    let request = GetFacebookDeletionRequest {
        confirmation_code: code,
    };
    let request = services.call(Caller::Guest).request(request);
    let found = services.facebook().get_deletion(request).await?;
    let found = found.into_inner();
    let answer = FacebookDeletion {
        outcome: found.outcome,
        date_requested: time::text(found.date_requested.as_ref()),
    };
    Ok(personal(StatusCode::OK, &answer))
}
