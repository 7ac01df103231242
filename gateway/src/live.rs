//! Readers' open streams: updates of a profile from the bus go to each stream of that profile.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
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

/// Updates by which a slow stream may lag before it must refetch.
const BACKLOG: usize = 16;

/// An update for a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Update {
    /// The reader's things of a kind have changed.
    Changed { kind: String, at: DateTime<Utc> },
    /// Updates may have been missed: ask the owners.
    Refetch,
}

/// The profiles with open streams on this gateway, and their streams.
#[derive(Debug, Clone, Default)]
pub(crate) struct LiveUpdates {
    watched: Arc<Mutex<HashMap<i64, broadcast::Sender<Update>>>>,
}

impl LiveUpdates {
    /// Watches a profile until the watch is dropped.
    pub(crate) fn watch(&self, profile_id: i64) -> Watch {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = watched
            .entry(profile_id)
            .or_insert_with(|| broadcast::channel(BACKLOG).0);
        Watch {
            updates: sender.subscribe(),
            profile_id,
            live: self.clone(),
        }
    }

    fn send(&self, profile_id: i64, update: Update) {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = watched.get(&profile_id) {
            // It fails if the last watch is being dropped.
            let _ = sender.send(update);
        }
    }

    fn forget_unwatched(&self, profile_id: i64) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if watched
            .get(&profile_id)
            .is_some_and(|sender| sender.receiver_count() <= 1)
        {
            watched.remove(&profile_id);
        }
        metrics::gauge!("gateway_watched_profiles")
            .set(u32::try_from(watched.len()).map_or(f64::from(u32::MAX), f64::from));
    }
}

/// A stream's subscription to its profile.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) updates: broadcast::Receiver<Update>,
    profile_id: i64,
    live: LiveUpdates,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.live.forget_unwatched(self.profile_id);
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
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        for sender in watched.values() {
            // It fails if the last watch is being dropped.
            let _ = sender.send(Update::Refetch);
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

    #[tokio::test]
    async fn each_watch_of_a_profile_gets_its_updates_and_no_other_does() {
        let live = LiveUpdates::default();
        let (mut first, mut second) = (live.watch(1), live.watch(1));
        let mut other = live.watch(2);
        live.send(1, update());
        assert_eq!(first.updates.recv().await.expect("an update"), update());
        assert_eq!(second.updates.recv().await.expect("an update"), update());
        assert!(other.updates.try_recv().is_err());
    }

    #[tokio::test]
    async fn after_a_gap_every_watch_refetches() {
        let live = LiveUpdates::default();
        let mut watch = live.watch(1);
        live.resumed().await;
        assert_eq!(
            watch.updates.recv().await.expect("an update"),
            Update::Refetch
        );
    }

    #[test]
    fn a_profile_without_watches_is_dropped() {
        let live = LiveUpdates::default();
        let (first, second) = (live.watch(1), live.watch(1));
        drop(first);
        assert_eq!(live.watched.lock().expect("no panic").len(), 1);
        drop(second);
        assert!(live.watched.lock().expect("no panic").is_empty());
    }
}
