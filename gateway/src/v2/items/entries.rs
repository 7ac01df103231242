//! `contests/{id}/entries/`: contest entries.

use axum::{extract::State, response::Response};
use editorial_proto::v1::EnterContestRequest;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::personal,
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        idempotency::IdempotencyKey,
        limits::{Client, ENTRIES, Limits, TooMany},
        session::Visitor,
    },
    services::Clients,
};

/// A contest entry.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewEntry {
    /// 1 to 255 characters.
    full_name: String,
    /// Each address can enter a contest once and receives an email about the entry. The address is deleted some time
    /// after the contest and never returned.
    email: String,
    /// At most 1,000 characters; required if the contest has a question.
    answer: String,
    /// Must be true.
    accepts_rules: bool,
}

/// A received contest entry.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReceivedEntry {
    /// The contest's id.
    contest: i64,
}

/// Enters a contest. The response is the same if the address has already entered; its owner is informed by mail.
#[utoipa::path(post, path = "/api/v2/contests/{id}/entries/", operation_id = "enter_contest",
    tag = "catalogue", request_body = NewEntry,
    params(("id" = i64, Path),
        ("Idempotency-Key" = Option<String>, Header, description =
            "Repeats with this key and body are answered as the first was, for 24 hours.")),
    responses((status = 202, body = ReceivedEntry), (status = 400, body = ErrorBody, description =
            "By field; under `non_field_errors` before the contest opens and after it closes."),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description =
            "The Idempotency-Key came with another body before."),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn enter(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    visitor: Visitor,
    client: Client,
    key: IdempotencyKey,
    Id(contest): Id,
    Body(entry): Body<NewEntry>,
) -> Result<Response, ApiError> {
    let request = EnterContestRequest {
        contest_id: contest,
        full_name: entry.full_name,
        email: entry.email,
        answer: entry.answer,
        accepts_rules: entry.accepts_rules,
        attempt: key.attempt(&format!("entries/{contest}"), &visitor, &client),
    };
    let request = visitor.call(&services).request(request);
    let entering = async { Ok(services.editorial().enter_contest(request).await?) };
    client.count_if_valid(&limits, ENTRIES, entering).await?;
    Ok(personal(StatusCode::ACCEPTED, &ReceivedEntry { contest }))
}
