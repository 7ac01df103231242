//! GET `profiles/hi/stream/`: the same as `hi/`, sent whenever it changes, on any device (Server-Sent
//! Events).

use std::{convert::Infallible, time::Duration};

use axum::{
    extract::State,
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
};
use chassis::instant;
use http::{HeaderValue, header::CACHE_CONTROL};
use tokio::sync::{broadcast::error::RecvError, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::hi::{self, Hi};
use crate::{
    edge::{
        error::{ApiError, ErrorBody},
        session::{self, Reader},
    },
    live::{Update, Watch},
    state::AppState,
};

/// A comment this often keeps proxies from closing the stream, and reveals closed connections. The session is
/// checked again each time.
const BEAT: Duration = Duration::from_secs(15);
/// The pause before a browser reconnects.
const RETRY: Duration = Duration::from_secs(2);

type Sender = mpsc::Sender<Result<Event, Infallible>>;

/// One event on connecting, then one per change of this profile; a comment every 15 seconds.
#[utoipa::path(get, path = "/api/v2/profiles/hi/stream/", tag = "profiles",
    responses((status = 200, content_type = "text/event-stream",
            description = "event: last_updates, data as in hi/"),
        (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn hi_stream(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    // Watch first, then ask: a change in between is sent twice rather than never.
    let watch = state.live.watch(reader.profile_id);
    let first = hi::ask(&state, &reader).await?;
    let (sender, events) = mpsc::channel(8);
    let life = state.life.clone();
    life.spawn("update stream", run(state, reader, watch, first, sender));
    let mut response = Sse::new(ReceiverStream::new(events)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    // Proxies that buffer would hold the events back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

async fn run(state: AppState, reader: Reader, mut watch: Watch, first: Hi, sender: Sender) {
    metrics::gauge!("gateway_streams").increment(1.0);
    let mut hi = first;
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT, BEAT);
    let mut open = send(&sender, told(&hi).retry(RETRY)).await;
    while open {
        open = tokio::select! {
            () = state.life.stopping() => false,
            () = sender.closed() => false,
            _ = beat.tick() => {
                still_signed_in(&state, &reader).await && send(&sender, Event::default().comment("")).await
            }
            update = watch.updates.recv() => match update {
                Ok(Update::Changed { kind, at }) => {
                    if hi.last_updates.take(&kind, at) {
                        hi.server_time = instant::to_rfc3339(state.clock.now());
                        send(&sender, told(&hi)).await
                    } else {
                        true
                    }
                }
                // If the owners cannot be asked the stream ends, and the browser reconnects.
                Ok(Update::Refetch) | Err(RecvError::Lagged(_)) => {
                    match hi::ask(&state, &reader).await {
                        Ok(now) => {
                            hi = now;
                            send(&sender, told(&hi)).await
                        }
                        Err(_) => false,
                    }
                }
                Err(RecvError::Closed) => false,
            },
        };
    }
    metrics::gauge!("gateway_streams").decrement(1.0);
}

fn told(hi: &Hi) -> Event {
    let data = serde_json::to_string(hi).unwrap_or_default();
    Event::default().event("last_updates").data(data)
}

/// Whether the browser still listens.
async fn send(sender: &Sender, event: Event) -> bool {
    sender.send(Ok(event)).await.is_ok()
}

/// A stream ends with its session; while the session cannot be checked, it goes on.
async fn still_signed_in(state: &AppState, reader: &Reader) -> bool {
    !matches!(
        session::authenticate(&state.services, &reader.secret).await,
        Ok(None)
    )
}
