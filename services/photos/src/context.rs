//! The state shared by use cases, consumers and jobs.

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

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) jobs: JobQueue,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) blobs: Blobs,
    pub(crate) places: PlacesClient<Transport>,
    /// The memory budget for inspecting files.
    pub(crate) inspections: Memory,
    /// The memory budget for making pictures.
    pub(crate) pictures: Memory,
    pub(crate) trust: Trust,
    /// The retention period of refused photos.
    pub(crate) keep_refused: TimeDelta,
    /// The retention period of the audit trail.
    pub(crate) keep_decisions: TimeDelta,
    /// Notified whenever this process has made a photo's sizes.
    pub(crate) made: Arc<watch::Sender<()>>,
}

chassis::opaque_debug!(Context);

impl Context {
    /// Deletes a received file. If that fails, an hourly job deletes it.
    pub(crate) async fn discard(&self, incoming: Uuid) {
        if let Err(fault) = self.blobs.discard_incoming(incoming).await {
            tracing::warn!(%fault, "a received file was not discarded");
        }
    }
}
