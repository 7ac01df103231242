//! POST `ads/events/`: what became of the ads that a page was given.

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
        limits::{AD_EVENTS, Client, Limits, TooMany},
    },
};

/// The most events of one call.
const MAX_EVENTS: usize = 50;

/// What happened to an ad.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AdEventKind {
    /// Its creative was rendered.
    Impression,
    /// Half of its pixels were in view for one second (MRC).
    Viewable,
}

/// An event of an ad.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AdEvent {
    kind: AdEventKind,
    /// The token that the page was given with the creative.
    token: String,
}

/// Events of a page.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AdEvents {
    /// 1 to 50.
    #[serde(default)]
    #[schema(required = true, value_type = Vec<AdEvent>)]
    events: Option<Vec<AdEvent>>,
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AdEventOutcome {
    /// It is in the log.
    Counted,
    /// It had been counted before.
    Repeated,
    /// Its token is not one of this site.
    Forged,
    /// Its token is older than an hour.
    Expired,
    /// The creative is gone.
    Unknown,
}

/// What became of the events, in their order.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordedAdEvents {
    results: Vec<AdEventOutcome>,
}

/// Takes events, each of which counts once. They are stored when the answer comes.
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
    if let Err(refusal) = client.pass(&limits, AD_EVENTS).await {
        server.refuse("flood", u64::try_from(events.len()).unwrap_or(1));
        return Err(refusal);
    }
    let is_bot = is_bot(&headers);
    let mut results = vec![AdEventOutcome::Forged; events.len()];
    let mut known = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match server.verify(&event.token) {
            Ok(ticket) => known.push((at, wire(&ticket, event.kind.wire(), is_bot))),
            Err(invalid) => {
                server.refuse(reason(invalid), 1);
                results[at] = invalid.into();
            }
        }
    }
    if !known.is_empty() {
        let (places, events): (Vec<usize>, Vec<Event>) = known.into_iter().unzip();
        let recorded = server.record(events).await?;
        for (at, outcome) in places.into_iter().zip(recorded) {
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

/// The name of a refusal in counts.
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

/// An event for the service of ads.
pub(super) fn wire(ticket: &Ticket, kind: EventKind, is_bot: bool) -> Event {
    Event {
        kind: kind.into(),
        opportunity: ticket.opportunity.as_bytes().to_vec(),
        line_item_id: ticket.line_item_id,
        creative_id: ticket.creative_id,
        position: ticket.position.clone(),
        served_at: Some(instant::to_proto(ticket.served_at)),
        is_bot,
    }
}

/// Whether a request comes from a program, by what it calls itself; one that does not say counts as one.
pub(super) fn is_bot(headers: &HeaderMap) -> bool {
    let agent = headers
        .get(USER_AGENT)
        .and_then(|agent| agent.to_str().ok());
    agent.is_none_or(iscrawl::is_crawler)
}
