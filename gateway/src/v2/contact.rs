//! POST `contact/`: messages to the site.

use axum::{extract::State, response::Response};
use editorial_proto::v1::ContactRequest;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time;
use crate::{
    edge::{
        answer::personal,
        body::Body,
        error::{ApiError, ErrorBody},
        idempotency::IdempotencyKey,
        limits::{CONTACT, Client, Limits, TooMany},
        session::Visitor,
    },
    services::Clients,
};

/// A visitor's message to the site.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ContactForm {
    /// 1 to 255 characters.
    name: String,
    /// Reply address.
    email: String,
    /// 1 to 200 characters.
    subject: String,
    /// 1 to 10,000 characters.
    message: String,
}

/// An accepted message, which will be emailed to the site.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakenMessage {
    /// A UUID that identifies the message.
    id: String,
    #[schema(format = DateTime, required = true)]
    date_created: Option<String>,
}

/// Sends a message to the site.
#[utoipa::path(post, path = "/api/v2/contact/", operation_id = "contact", tag = "site",
    request_body = ContactForm,
    params(("Idempotency-Key" = Option<String>, Header, description =
        "Repeats with this key and body are answered as the first was, for 24 hours.")),
    responses((status = 201, body = TakenMessage), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody, description =
            "The Idempotency-Key came with another body before."),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn contact(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    visitor: Visitor,
    client: Client,
    key: IdempotencyKey,
    Body(form): Body<ContactForm>,
) -> Result<Response, ApiError> {
    let request = ContactRequest {
        name: form.name,
        email: form.email,
        subject: form.subject,
        message: form.message,
        attempt: key.attempt("contact", &visitor, &client),
    };
    let request = visitor.call(&services).request(request);
    let sending = async { Ok(services.editorial().contact(request).await?.into_inner()) };
    let taken = client.count_if_valid(&limits, CONTACT, sending).await?;
    let message = TakenMessage {
        id: taken.id,
        date_created: time::text(taken.taken_at.as_ref()),
    };
    Ok(personal(StatusCode::CREATED, &message))
}
