//! POST `ads/events/`: impressions and views of ads.

use ad_delivery::{Invalid, Ticket};
use ads_proto::v1::{Event, EventKind, Outcome};
use axum::{extract::State, response::Response};
use chassis::instant;
use http::{HeaderMap, StatusCode, header::USER_AGENT};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ads::AdServer,
    edge::{
        answer::personal,
        body::{Body, required},
        error::{ApiError, ErrorBody},
        limits::{AD_EVENTS, AD_IMPRESSIONS, Client, Limits, TakenToken, TooMany},
    },
};

/// Maximum number of events per call.
const MAX_EVENTS: usize = 50;

/// The kind of an ad event.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AdEventKind {
    /// The creative was rendered.
    Impression,
    /// At least half of the ad's pixels were in view for one second (MRC).
    Viewable,
}

/// An event of an ad.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AdEvent {
    kind: AdEventKind,
    /// The `token` of the creative.
    token: String,
}

/// Events of a page.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AdEvents {
    /// 1 to 50 events.
    #[serde(default)]
    #[schema(required = true, value_type = Vec<AdEvent>)]
    events: Option<Vec<AdEvent>>,
}

/// The outcome of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AdEventOutcome {
    /// Recorded.
    Counted,
    /// Recorded earlier.
    Repeated,
    /// The token was not issued by this site.
    Forged,
    /// The token is more than an hour old.
    Expired,
    /// The creative no longer exists.
    Unknown,
}

/// The outcomes of the events, in the same order.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordedAdEvents {
    results: Vec<AdEventOutcome>,
}

/// Records ad events, each of which counts once. The events are stored before the response is sent.
#[utoipa::path(post, path = "/api/v2/ads/events/", operation_id = "recordAdEvents", tag = "ads",
    request_body = AdEvents,
    responses((status = 200, body = RecordedAdEvents), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn record(
    State(server): State<AdServer>,
    State(limits): State<Limits>,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<AdEvents>,
) -> Result<Response, ApiError> {
    let events = required("events", body.events)?;
    if !(1..=MAX_EVENTS).contains(&events.len()) {
        let message = format!("Give 1 to {MAX_EVENTS} events.");
        return Err(ApiError::field("events", message));
    }
    let number = u32::try_from(events.len()).unwrap_or(u32::MAX);
    if let Err(refusal) = client.pass_several(&limits, AD_EVENTS, number).await {
        server.refuse("flood", number.into());
        return Err(refusal);
    }
    let is_bot = is_bot(&headers);
    let mut results = vec![AdEventOutcome::Forged; events.len()];
    let mut known = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match server.verify(&event.token) {
            Ok(ticket) => {
                let mut event = wire(&ticket, event.kind.wire(), is_bot);
                let token = charge(&limits, &client, &event).await?;
                event.is_excess = token.as_ref().is_some_and(|token| !token.is_allowed());
                known.push(((at, token), event));
            }
            Err(invalid) => {
                server.refuse(reason(invalid), 1);
                results[at] = invalid.into();
            }
        }
    }
    if !known.is_empty() {
        let (places, events): (Vec<_>, Vec<Event>) = known.into_iter().unzip();
        let recorded = server.record(events).await?;
        for ((at, token), outcome) in places.into_iter().zip(recorded) {
            if outcome != Outcome::Counted
                && let Some(token) = token
            {
                limits.give_back(&token).await;
            }
            results[at] = match outcome {
                Outcome::Counted => AdEventOutcome::Counted,
                Outcome::Repeated => {
                    server.refuse("repeated", 1);
                    AdEventOutcome::Repeated
                }
                Outcome::Unknown | Outcome::Unspecified => {
                    server.refuse("unknown", 1);
                    AdEventOutcome::Unknown
                }
            };
        }
    }
    Ok(personal(StatusCode::OK, &RecordedAdEvents { results }))
}

/// Takes a token for an impression. Without one, the impression is not charged, so that one client cannot exhaust a
/// campaign.
async fn charge(
    limits: &Limits,
    client: &Client,
    event: &Event,
) -> Result<Option<TakenToken>, ApiError> {
    if event.is_bot || event.kind() != EventKind::Impression {
        return Ok(None);
    }
    let line_item = event.line_item_id.to_string();
    client
        .take(limits, AD_IMPRESSIONS, &line_item)
        .await
        .map(Some)
}

/// Returns the metric label of a refusal.
pub(super) fn reason(invalid: Invalid) -> &'static str {
    match invalid {
        Invalid::Forged => "forged",
        Invalid::Expired => "expired",
    }
}

impl From<Invalid> for AdEventOutcome {
    fn from(invalid: Invalid) -> Self {
        match invalid {
            Invalid::Forged => Self::Forged,
            Invalid::Expired => Self::Expired,
        }
    }
}

impl AdEventKind {
    fn wire(self) -> EventKind {
        match self {
            Self::Impression => EventKind::Impression,
            Self::Viewable => EventKind::Viewable,
        }
    }
}

/// Builds an event for the ads service.
pub(super) fn wire(ticket: &Ticket, kind: EventKind, is_bot: bool) -> Event {
    Event {
        kind: kind.into(),
        opportunity: ticket.opportunity.as_bytes().to_vec(),
        line_item_id: ticket.line_item_id,
        creative_id: ticket.creative_id,
        position: ticket.position.clone(),
        served_at: Some(instant::to_proto(ticket.served_at)),
        is_bot,
        is_excess: false,
    }
}

/// Whether a request comes from a crawler, by its `User-Agent`. A request without one counts as a crawler.
pub(in crate::v2) fn is_bot(headers: &HeaderMap) -> bool {
    let agent = headers
        .get(USER_AGENT)
        .and_then(|agent| agent.to_str().ok());
    agent.is_none_or(iscrawl::is_crawler)
}
