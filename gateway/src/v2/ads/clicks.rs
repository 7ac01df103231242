//! GET `ads/clicks/{token}/`: follows the link of an ad.

use ad_delivery::Invalid;
use ads_proto::v1::EventKind;
use axum::{
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use http::{HeaderMap, header::CACHE_CONTROL};

use super::events::{is_bot, reason, wire};
use crate::{
    ads::AdServer,
    edge::{
        answer::PRIVATE,
        error::{ApiError, ErrorBody},
        limits::{AD_EVENTS, Client, Limits, TooMany},
    },
};

/// Redirects to the creative's address and counts the click once, if it can be recorded. Redirects to the front page if
/// the token has expired or the creative no longer exists.
#[utoipa::path(get, path = "/api/v2/ads/clicks/{token}/", operation_id = "followAd", tag = "ads",
    params(("token" = String, Path, description = "From `click_url`.")),
    responses((status = 303, description = "To the creative's address."), (status = 404, body = ErrorBody), TooMany))]
pub(crate) async fn follow(
    State(server): State<AdServer>,
    State(limits): State<Limits>,
    client: Client,
    headers: HeaderMap,
    Path(token): Path<String>,
) -> Result<Response, ApiError> {
    client.pass(&limits, AD_EVENTS).await?;
    let ticket = match server.verify(&token) {
        Ok(ticket) => ticket,
        Err(invalid) => {
            server.refuse(reason(invalid), 1);
            return match invalid {
                Invalid::Forged => Err(ApiError::not_found()),
                Invalid::Expired => Ok(go("/")),
            };
        }
    };
    let event = wire(&ticket, EventKind::Click, is_bot(&headers));
    if let Err(error) = server.record(vec![event]).await {
        tracing::warn!(%error, "a click was not counted");
        server.refuse("unavailable", 1);
    }
    let creative = server.creative(ticket.creative_id);
    Ok(go(creative
        .as_ref()
        .map_or("/", |creative| &creative.landing)))
}

fn go(address: &str) -> Response {
    let mut response = Redirect::to(address).into_response();
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    response
}
