//! GET `receipts/{token}/`: receipts of account erasures.

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::{
    call::Caller,
    error::{Code, Fault},
};
use http::StatusCode;
use identity_proto::v1::GetReceiptRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        limits::{Client, Limits, SIGN_IN, TooMany},
    },
    services::Clients,
};

/// The receipt of an account erasure.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Receipt {
    statement: Statement,
    /// The statement, signed by the site: a JSON Web Signature in its compact form, with Ed25519 (RFC 7515, RFC 8037).
    jws: String,
}

/// The erased and retained data.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Statement {
    /// The site's address.
    site: String,
    /// The id of the erased profile.
    account: i64,
    #[schema(format = DateTime)]
    requested_at: String,
    #[schema(format = DateTime)]
    erased_at: String,
    erased: Vec<ErasedKind>,
    kept: Vec<Kept>,
}

/// Records of one kind that were erased.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ErasedKind {
    /// The kind, named like the files of an export: "favourites", …
    kind: String,
    count: i64,
}

/// Retained records and the reason.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Kept {
    kind: String,
    /// Absent in receipts of earlier releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    reason: String,
    #[schema(format = DateTime)]
    until: String,
}

/// The receipt of an emailed link. 404 if the token is unknown or the receipt is older than 30 days.
#[utoipa::path(get, path = "/api/v2/receipts/{token}/", operation_id = "read_receipt", tag = "profiles",
    params(("token" = String, Path)),
    responses((status = 200, body = Receipt), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn receipt(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    client: Client,
    Path(token): Path<String>,
) -> Result<Response, ApiError> {
    client.pass(&limits, SIGN_IN).await?;
    let request = services
        .call(Caller::Guest)
        .request(GetReceiptRequest { token });
    let found = services.departures().get_receipt(request).await?;
    let found = found.into_inner();
    let statement = serde_json::from_str(&found.statement).map_err(|error| {
        let message = format!("a receipt's statement cannot be read: {error}");
        Fault::new(Code::Internal, message)
    })?;
    let receipt = Receipt {
        statement,
        jws: found.jws,
    };
    Ok(personal(StatusCode::OK, &receipt))
}
