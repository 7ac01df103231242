//! What a service is to the process that runs it.

use async_trait::async_trait;
use tonic::service::Routes;

use crate::{
    bus::SharedBus, cache::SharedCache, clock::SharedClock, entropy::SharedEntropy, error::Fault,
    lifecycle::Lifecycle, mail::PostOffice, postgres,
};

/// The parts of the process that every service stands on.
#[derive(Clone)]
pub struct Parts {
    /// Time.
    pub clock: SharedClock,
    /// Randomness.
    pub entropy: SharedEntropy,
    /// Events between services.
    pub bus: SharedBus,
    /// What may be forgotten.
    pub cache: SharedCache,
    /// What sends mail.
    pub post: PostOffice,
    /// Where PostgreSQL is.
    pub database: postgres::Settings,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}

/// One service in one process: made, then subscribed, then started, so that no event is published
/// before whoever keeps a copy listens.
#[async_trait]
pub trait Role: Send + Sync {
    /// Its calls.
    fn routes(&self) -> Routes;

    /// Starts its consumers.
    async fn subscribe(&self) -> Result<(), Fault>;

    /// Starts its relay and its jobs, until the process stops.
    fn start(&self, life: &Lifecycle);

    /// Whether it can do its work now; for readiness.
    async fn check(&self) -> Result<(), Fault>;
}
