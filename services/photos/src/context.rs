//! The state that use cases, consumers and jobs share.

use std::sync::Arc;

use chassis::{
    blobs::Blobs,
    clock::SharedClock,
    entropy::SharedEntropy,
    postgres::{Outbox, jobs::JobQueue},
    rpc::Transport,
};
use chrono::TimeDelta;
use places_proto::v1::places_client::PlacesClient;
use sqlx::PgPool;
use tokio::sync::watch;
use uuid::Uuid;

use crate::{domain::Trust, memory::Memory};

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) jobs: JobQueue,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) blobs: Blobs,
    pub(crate) places: PlacesClient<Transport>,
    /// Memory for files under inspection.
    pub(crate) inspections: Memory,
    /// Memory for files that pictures are made of, and for the work on them.
    pub(crate) pictures: Memory,
    pub(crate) trust: Trust,
    /// How long refused photos are kept.
    pub(crate) keep_refused: TimeDelta,
    /// How long the audit trail is kept.
    pub(crate) keep_decisions: TimeDelta,
    /// Changes whenever this process has made a photo's sizes.
    pub(crate) made: Arc<watch::Sender<()>>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

impl Context {
    /// Discards a received file. If that fails, an hourly job does it.
    pub(crate) async fn discard(&self, incoming: Uuid) {
        if let Err(fault) = self.blobs.discard_incoming(incoming).await {
            tracing::warn!(%fault, "a received file was not discarded");
        }
    }
}
