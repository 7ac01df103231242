//! `newsletters/webhooks/{provider}/`: mail providers' delivery reports.

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::call::Caller;
use http::{HeaderMap, header::AUTHORIZATION};
use newsletters_proto::v1::ReportRequest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::done,
        body::RawJson,
        error::{ApiError, ErrorBody},
    },
    services::Clients,
};

const SIGNATURE: &str = "x-cityguide-signature";

/// Delivery events in the format of `generic`. Other providers use their own formats.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryReport {
    /// At most 100 events.
    events: Vec<DeliveryEvent>,
}

/// A delivery event.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryEvent {
    r#type: DeliveryEventType,
    /// The recipient.
    email: String,
}

/// The kinds of events.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) enum DeliveryEventType {
    /// The address is permanently undeliverable.
    Bounce,
    /// The recipient has reported an email as spam.
    Complaint,
}

/// Accepts a report of bounces and complaints. Reported addresses receive no more emails, and a complaint also
/// unsubscribes the address. 403 unless the report is authenticated: `generic` by `X-Cityguide-Signature`, which is
/// `t=`, the seconds since 1970, `,v1=` and the hexadecimal HMAC-SHA256 of these seconds, a full stop and the body;
/// `mailgun` by a signature within the report; `postmark` by the password of HTTP Basic authentication; `ses` by an
/// Amazon SNS signature (version 2), for which topic subscriptions are confirmed automatically. 404 for a provider that
/// the site does not use.
#[utoipa::path(post, path = "/api/v2/newsletters/webhooks/{provider}/", operation_id = "report_deliveries", tag = "newsletters",
    params(("provider" = String, Path, pattern = "^[a-z]{1,20}$")), request_body = DeliveryReport,
    responses((status = 204, description = "It is taken."), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn report(
    State(services): State<Clients>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    RawJson(body): RawJson,
) -> Result<Response, ApiError> {
    let text = |name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let request = ReportRequest {
        provider,
        body: body.to_vec(),
        signature: text(SIGNATURE),
        authorization: text(AUTHORIZATION.as_str()),
    };
    let call = services.call(Caller::Guest);
    services.reports().report(call.request(request)).await?;
    Ok(done())
}
