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
use chassis::{instant, lifecycle::Lifecycle};
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
/// Events for a browser that has not read the earlier ones yet.
const UNREAD: usize = 8;
/// The time in which a browser must read on when that many wait for it.
const READS_ON_WITHIN: Duration = Duration::from_secs(15);
/// The pause before a refused browser may try again.
const REFUSED_FOR_SECONDS: u64 = 60;

type Sender = mpsc::Sender<Result<Event, Infallible>>;

/// One event on connecting, then one per change of this profile; a comment every 15 seconds. A session has at most
/// 4 streams and a reader 32, on each gateway.
#[utoipa::path(get, path = "/api/v2/profiles/hi/stream/", tag = "profiles",
    responses((status = 200, content_type = "text/event-stream",
            description = "event: last_updates, data as in hi/"),
        (status = 401, body = ErrorBody), (status = 429, body = ErrorBody,
            headers(("Retry-After" = u64, description = "Seconds after which another try is worth it."))),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn hi_stream(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    // Watch first, then ask: a change in between is sent twice rather than never.
    let watch = state.live.watch(reader.profile_id, &reader.secret);
    let watch = watch.ok_or_else(|| ApiError::too_many(REFUSED_FOR_SECONDS))?;
    let first = hi::ask(&state, &reader).await?;
    let (sender, events) = mpsc::channel(UNREAD);
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
    let mut hi = first;
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT, BEAT);
    let send = async |event| send(&sender, &state.life, event).await;
    let mut open = send(event(&hi).retry(RETRY)).await;
    while open {
        open = tokio::select! {
            () = state.life.stopping() => false,
            () = sender.closed() => false,
            _ = beat.tick() => {
                still_signed_in(&state, &reader).await && send(Event::default().comment("")).await
            }
            update = watch.updates.recv() => match update {
                Ok(Update::Changed { kind, at }) => {
                    if hi.last_updates.take(&kind, at) {
                        hi.server_time = instant::to_rfc3339(state.clock.now());
                        send(event(&hi)).await
                    } else {
                        true
                    }
                }
                // If the owners cannot be asked the stream ends, and the browser reconnects.
                Ok(Update::Refetch) | Err(RecvError::Lagged(_)) => {
                    match hi::ask(&state, &reader).await {
                        Ok(now) => {
                            hi = now;
                            send(event(&hi)).await
                        }
                        Err(_) => false,
                    }
                }
                Err(RecvError::Closed) => false,
            },
        };
    }
}

fn event(hi: &Hi) -> Event {
    let data = serde_json::to_string(hi).unwrap_or_default();
    Event::default().event("last_updates").data(data)
}

/// Sends an event; whether the stream goes on. It ends if the browser has gone, no longer reads, or the process
/// stops.
async fn send(sender: &Sender, life: &Lifecycle, event: Event) -> bool {
    let sent = tokio::time::timeout(READS_ON_WITHIN, sender.send(Ok(event)));
    tokio::select! {
        () = life.stopping() => false,
        sent = sent => matches!(sent, Ok(Ok(()))),
    }
}

/// A stream ends with its session; while the session cannot be checked, it goes on.
async fn still_signed_in(state: &AppState, reader: &Reader) -> bool {
    !matches!(
        session::authenticate(&state.services, &reader.secret).await,
        Ok(None)
    )
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    fn event() -> Event {
        Event::default().comment("")
    }

    #[tokio::test(start_paused = true)]
    async fn a_browser_that_does_not_read_on_is_let_go() {
        let life = Lifecycle::new();
        let (sender, mut events) = mpsc::channel(1);
        assert!(send(&sender, &life, event()).await);
        let begun = Instant::now();
        assert!(!send(&sender, &life, event()).await);
        assert_eq!(begun.elapsed(), READS_ON_WITHIN);
        events.recv().await;
        assert!(send(&sender, &life, event()).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_ends_the_wait_for_a_browser_at_once() {
        let life = Lifecycle::new();
        let (sender, _unread) = mpsc::channel(1);
        assert!(send(&sender, &life, event()).await);
        let begun = Instant::now();
        life.stop();
        assert!(!send(&sender, &life, event()).await);
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }
}
