//! `newsletters/webhooks/{provider}/`: what providers of mail report of letters.

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

/// What has become of letters, in the form of `generic`; other providers send their own.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryReport {
    /// At most 100.
    events: Vec<DeliveryEvent>,
}

/// What has become of a letter.
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
    /// The address takes no mail, and never will.
    Bounce,
    /// The recipient has called a letter spam.
    Complaint,
}

/// Takes a report of bounces and complaints: such addresses are not written to again, and who complains is unsubscribed. 403
/// unless the provider has signed it: `generic` in `X-Cityguide-Signature`, as `t=` and the seconds since 1970, `,v1=` and the
/// HMAC-SHA256 of these seconds, a full stop and the body, in hexadecimal; `mailgun` within the report; `postmark` by
/// the password of HTTP Basic; `ses` as Amazon SNS signs (version 2), whose request to confirm the topic is answered. 404 for
/// a provider that the site does not have.
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
