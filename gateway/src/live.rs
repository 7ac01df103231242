//! Readers' open streams. Updates of a profile from the bus are sent to each stream of that profile. The number of
//! streams is limited, because each has a connection and a task for as long as the reader stays connected.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, Utc};
use cityguide_proto::events::v1::LastUpdated;
use tokio::sync::broadcast;

/// Number of updates by which a slow stream may lag before it must refetch.
const BACKLOG: usize = 16;
/// Maximum number of streams of a session. Its browser has one, shared by all tabs, and briefly a second one when it
/// reconnects.
const MAX_OF_A_SESSION: usize = 4;
/// Maximum number of streams of a reader on all devices.
const MAX_OF_A_READER: usize = 32;

/// An update for a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Update {
    /// The reader's data of a kind has changed.
    Changed { kind: String, at: DateTime<Utc> },
    /// Updates may have been missed: the client must fetch the current state.
    Refetch,
}

/// Profiles with open streams on this gateway, and their streams.
#[derive(Debug, Clone)]
pub(crate) struct LiveUpdates {
    streams: Arc<Mutex<Streams>>,
    /// Maximum number of open streams on this gateway.
    most: usize,
    /// Hashes session secrets, so that they are not stored.
    hasher: RandomState,
}

#[derive(Debug, Default)]
struct Streams {
    open: usize,
    watched: HashMap<i64, Watched>,
}

/// A profile with open streams.
#[derive(Debug)]
struct Watched {
    updates: broadcast::Sender<Update>,
    /// The session of each stream.
    sessions: Vec<u64>,
}

impl Watched {
    /// Returns the limit that another stream of this session would exceed.
    fn bound(&self, session: u64) -> Option<&'static str> {
        let of_session = self.sessions.iter().filter(|one| **one == session).count();
        if of_session >= MAX_OF_A_SESSION {
            return Some("session");
        }
        (self.sessions.len() >= MAX_OF_A_READER).then_some("reader")
    }
}

impl LiveUpdates {
    /// Creates an instance without streams, for at most `most` open streams.
    pub(crate) fn new(most: usize) -> Self {
        for bound in ["session", "reader", "gateway"] {
            // Registers the counter at 0 before the first refusal.
            refusals(bound).increment(0);
        }
        Self {
            streams: Arc::default(),
            most,
            hasher: RandomState::new(),
        }
    }

    /// Watches a profile for a stream of this session until the watch is dropped. Returns `None` if the session, the
    /// reader or this gateway has reached its maximum number of streams.
    pub(crate) fn watch(&self, profile_id: i64, session: &str) -> Option<Watch> {
        let session = self.hasher.hash_one(session);
        let mut streams = self.streams();
        let watched = streams.watched.get(&profile_id);
        let bound = if streams.open >= self.most {
            Some("gateway")
        } else {
            watched.and_then(|watched| watched.bound(session))
        };
        if let Some(bound) = bound {
            refusals(bound).increment(1);
            return None;
        }
        let watched = streams
            .watched
            .entry(profile_id)
            .or_insert_with(|| Watched {
                updates: broadcast::channel(BACKLOG).0,
                sessions: Vec::new(),
            });
        watched.sessions.push(session);
        let updates = watched.updates.subscribe();
        streams.open += 1;
        streams.measure();
        Some(Watch {
            updates,
            profile_id,
            session,
            live: self.clone(),
        })
    }

    fn send(&self, profile_id: i64, update: Update) {
        if let Some(watched) = self.streams().watched.get(&profile_id) {
            // Sending fails while the last watch is being dropped.
            let _ = watched.updates.send(update);
        }
    }

    fn forget(&self, profile_id: i64, session: u64) {
        let mut streams = self.streams();
        streams.open -= 1;
        if let Some(watched) = streams.watched.get_mut(&profile_id) {
            let found = watched.sessions.iter().position(|one| *one == session);
            if let Some(index) = found {
                watched.sessions.swap_remove(index);
            }
            if watched.sessions.is_empty() {
                streams.watched.remove(&profile_id);
            }
        }
        streams.measure();
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    fn measure(&self) {
        let gauge = |count| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
        metrics::gauge!("gateway_streams").set(gauge(self.open));
        metrics::gauge!("gateway_watched_profiles").set(gauge(self.watched.len()));
    }
}

fn refusals(bound: &'static str) -> metrics::Counter {
    metrics::counter!("gateway_stream_refusals_total", "bound" => bound)
}

/// A stream's subscription to its profile.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) updates: broadcast::Receiver<Update>,
    profile_id: i64,
    session: u64,
    live: LiveUpdates,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.live.forget(self.profile_id, self.session);
    }
}

#[async_trait]
impl Handler for LiveUpdates {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let event: LastUpdated = decode(message)?;
        let at = event
            .at
            .as_ref()
            .and_then(instant::from_proto)
            .ok_or_else(|| Fault::new(Code::Invalid, "LastUpdated without its instant"))?;
        let kind = event.kind;
        self.send(event.profile_id, Update::Changed { kind, at });
        Ok(())
    }

    async fn resumed(&self) {
        for watched in self.streams().watched.values() {
            // Sending fails while the last watch is being dropped.
            let _ = watched.updates.send(Update::Refetch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update() -> Update {
        Update::Changed {
            kind: "favourites".into(),
            at: DateTime::UNIX_EPOCH,
        }
    }

    fn watch(live: &LiveUpdates, profile_id: i64) -> Watch {
        live.watch(profile_id, "a").expect("within the bounds")
    }

    #[tokio::test]
    async fn each_watch_of_a_profile_gets_its_updates_and_no_other_does() {
        let live = LiveUpdates::new(10);
        let (mut first, mut second) = (watch(&live, 1), watch(&live, 1));
        let mut other = watch(&live, 2);
        live.send(1, update());
        assert_eq!(first.updates.recv().await.expect("an update"), update());
        assert_eq!(second.updates.recv().await.expect("an update"), update());
        assert!(other.updates.try_recv().is_err());
    }

    #[tokio::test]
    async fn after_a_gap_every_watch_refetches() {
        let live = LiveUpdates::new(10);
        let mut watch = watch(&live, 1);
        live.resumed().await;
        assert_eq!(
            watch.updates.recv().await.expect("an update"),
            Update::Refetch
        );
    }

    #[test]
    fn a_profile_without_watches_is_dropped() {
        let live = LiveUpdates::new(10);
        let (first, second) = (watch(&live, 1), watch(&live, 1));
        drop(first);
        assert_eq!(live.streams().watched.len(), 1);
        drop(second);
        assert!(live.streams().watched.is_empty());
        assert_eq!(live.streams().open, 0);
    }

    #[test]
    fn a_session_a_reader_and_a_gateway_have_bounded_streams_and_an_ended_one_makes_room() {
        let live = LiveUpdates::new(MAX_OF_A_READER + MAX_OF_A_SESSION);
        let mut open: Vec<_> = (0..MAX_OF_A_SESSION).map(|_| watch(&live, 1)).collect();
        assert!(live.watch(1, "a").is_none(), "the session's bound");
        open.pop();
        open.push(watch(&live, 1));
        let sessions = MAX_OF_A_SESSION..MAX_OF_A_READER;
        open.extend(sessions.map(|session| live.watch(1, &session.to_string()).expect("room")));
        assert!(live.watch(1, "one more").is_none(), "the reader's bound");
        open.extend((0..MAX_OF_A_SESSION).map(|_| watch(&live, 2)));
        assert!(live.watch(3, "a").is_none(), "the gateway's bound");
        open.pop();
        assert!(live.watch(3, "a").is_some());
    }
}
