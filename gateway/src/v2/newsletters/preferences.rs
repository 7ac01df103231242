//! `newsletters/preferences/{token}/` and `newsletters/unsubscribe/{token}/`: targets of links in emails.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::{call::Caller, origin::Origin};
use http::{HeaderMap, StatusCode};
use newsletters_proto::v1::{self as proto, ChangePreferencesRequest, GetPreferencesRequest};
use serde::Serialize;
use utoipa::ToSchema;
use vocabulary::newsletters::Kind;

use super::{
    choosing::{choice, origin, way},
    settings::{NewsletterChanges, NewsletterKind, NewsletterSettings},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::personal,
        body::FlagsBody,
        error::{ApiError, ErrorBody},
        limits::{CountedRead, TooMany, VisitingWriter},
        params::Params,
    },
    services::Clients,
};

/// Newsletter subscriptions of an email's recipient.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Preferences {
    /// The shortened address: `a…@example.com`.
    address: String,
    newsletter_settings: NewsletterSettings,
}

impl From<proto::Preferences> for Preferences {
    fn from(preferences: proto::Preferences) -> Self {
        Self {
            address: preferences.address,
            newsletter_settings: (&preferences.settings.unwrap_or_default()).into(),
        }
    }
}

/// Returns the newsletter subscriptions of an email's recipient.
#[utoipa::path(get, path = "/api/v2/newsletters/preferences/{token}/", operation_id = "newsletter_preferences",
    tag = "newsletters", params(("token" = String, Path)),
    responses((status = 200, body = Preferences), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn show(
    State(services): State<Clients>,
    _counted: CountedRead,
    Path(token): Path<String>,
) -> Result<Response, ApiError> {
    let found = Preferences::from(get(&services, token).await?);
    Ok(personal(StatusCode::OK, &found))
}

/// Changes the newsletter subscriptions of an email's recipient. Absent fields remain unchanged.
#[utoipa::path(post, path = "/api/v2/newsletters/preferences/{token}/", operation_id = "change_newsletter_preferences",
    tag = "newsletters", params(("token" = String, Path)), request_body(content((NewsletterChanges = "application/json"), (NewsletterChanges = "application/x-www-form-urlencoded"))),
    responses((status = 200, body = Preferences), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn change(
    State(services): State<Clients>,
    State(site): State<Origin>,
    State(catalogue): State<Arc<Catalogue>>,
    _counted: VisitingWriter,
    Path(token): Path<String>,
    headers: HeaderMap,
    FlagsBody(changes): FlagsBody<NewsletterChanges>,
) -> Result<Response, ApiError> {
    let request = ChangePreferencesRequest {
        token,
        choices: changes.choices(&catalogue.site.name),
        origin: Some(origin(&site, &headers, way::PREFERENCES)),
    };
    let preferences = Preferences::from(put(&services, request).await?);
    Ok(personal(StatusCode::OK, &preferences))
}

/// Returns the recipient's subscriptions before they unsubscribe. Only POST unsubscribes.
#[utoipa::path(get, path = "/api/v2/newsletters/unsubscribe/{token}/", operation_id = "newsletter_subscription",
    tag = "newsletters", params(("token" = String, Path)),
    responses((status = 200, body = Preferences), (status = 404, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn show_subscription(
    State(services): State<Clients>,
    _counted: CountedRead,
    Path(token): Path<String>,
) -> Result<Response, ApiError> {
    let found = Preferences::from(get(&services, token).await?);
    Ok(personal(StatusCode::OK, &found))
}

/// Ends a subscription or all of them. The body is ignored: mail programs send `List-Unsubscribe=One-Click` in one of
/// two formats (RFC 8058), from any site and without cookies.
#[utoipa::path(post, path = "/api/v2/newsletters/unsubscribe/{token}/", operation_id = "unsubscribe", tag = "newsletters",
    params(("token" = String, Path), ("kind" = inline(Option<NewsletterKind>), Query, description = "Only this newsletter.")),
    responses((status = 200, body = Preferences), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn unsubscribe(
    State(services): State<Clients>,
    State(site): State<Origin>,
    Path(token): Path<String>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let origin = origin(&site, &headers, way::ONE_CLICK);
    let kind = params.one_of("kind", &Kind::ALL.map(Kind::name))?;
    let ended = Preferences::from(end(&services, token, kind, origin).await?);
    Ok(personal(StatusCode::OK, &ended))
}

/// Fetches the subscriptions of the token's recipient.
pub(crate) async fn get(services: &Clients, token: String) -> Result<proto::Preferences, ApiError> {
    let call = services.call(Caller::Guest);
    let request = call.request(GetPreferencesRequest { token });
    let found = services.mailed_links().get_preferences(request).await?;
    Ok(found.into_inner())
}

/// Changes subscriptions.
pub(crate) async fn put(
    services: &Clients,
    request: ChangePreferencesRequest,
) -> Result<proto::Preferences, ApiError> {
    let call = services.call(Caller::Guest);
    let request = call.request(request);
    let changed = services.mailed_links().change_preferences(request).await?;
    Ok(changed.into_inner())
}

/// Ends a newsletter subscription, or all subscriptions.
pub(crate) async fn end(
    services: &Clients,
    token: String,
    kind: Option<&str>,
    origin: proto::Origin,
) -> Result<proto::Preferences, ApiError> {
    let ended = Kind::ALL.into_iter();
    let ended = ended.filter(|one| kind.is_none_or(|kind| kind == one.name()));
    let request = ChangePreferencesRequest {
        token,
        choices: ended.map(|kind| choice("", kind, false)).collect(),
        origin: Some(origin),
    };
    put(services, request).await
}
