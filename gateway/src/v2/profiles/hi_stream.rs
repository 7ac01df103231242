//! GET `profiles/hi/stream/`: the response of `hi/`, sent after every change on any device (Server-Sent Events).

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

/// Interval of comments, which keep proxies from closing the stream and reveal closed connections. The session is
/// checked each time.
const BEAT: Duration = Duration::from_secs(15);
/// Delay before a browser reconnects.
const RETRY: Duration = Duration::from_secs(2);
/// Maximum number of unsent events for a slow browser.
const UNREAD: usize = 8;
/// Time in which a browser with that many unsent events must continue reading.
const READS_ON_WITHIN: Duration = Duration::from_secs(15);
/// Delay before a rejected browser may retry.
const REFUSED_FOR_SECONDS: u64 = 60;

type Sender = mpsc::Sender<Result<Event, Infallible>>;

/// Sends an event on connecting and after each change of this profile, and a comment every 15 seconds. The limits are 4
/// streams per session and 32 per reader, on each gateway.
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
    // Watch before fetching: a change in between is then sent twice instead of being lost.
    let watch = state.live.watch(reader.profile_id, &reader.secret);
    let watch = watch.ok_or_else(|| ApiError::too_many(REFUSED_FOR_SECONDS))?;
    let first = hi::ask(&state, &reader).await?;
    let (sender, events) = mpsc::channel(UNREAD);
    let life = state.life.clone();
    life.spawn("update stream", run(state, reader, watch, first, sender));
    let mut response = Sse::new(ReceiverStream::new(events)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    // Buffering proxies would delay the events.
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
                // If the fetch fails, the stream ends and the browser reconnects.
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

/// Sends an event. Returns false to end the stream, if the browser has disconnected, has stopped reading, or the
/// process stops.
async fn send(sender: &Sender, life: &Lifecycle, event: Event) -> bool {
    let sent = tokio::time::timeout(READS_ON_WITHIN, sender.send(Ok(event)));
    tokio::select! {
        () = life.stopping() => false,
        sent = sent => matches!(sent, Ok(Ok(()))),
    }
}

/// Whether the session still exists. While it cannot be checked, the stream continues.
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
