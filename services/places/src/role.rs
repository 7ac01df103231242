//! The service as the process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    bus::{Subscription, exchange},
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{self, Outbox, Relay},
    role::{Parts, Role},
};
use cityguide_proto::places::v1::places_server::PlacesServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{consumers::RetellConsumer, context::Context, grpc::PlacesApi};

const NAME: &str = "places";
static MIGRATOR: Migrator = sqlx::migrate!();

/// The places service.
pub struct Places {
    parts: Parts,
    context: Context,
}

impl std::fmt::Debug for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Places").finish_non_exhaustive()
    }
}

impl Places {
    /// Brings the service's schema up to date.
    pub async fn migrate(database: &postgres::Settings) -> Result<(), Fault> {
        postgres::migrate(&postgres::connect(database, NAME).await?, &MIGRATOR).await
    }

    /// Connects the service to what it stands on.
    pub async fn create(parts: Parts) -> Result<Self, Fault> {
        let pool = postgres::connect(&parts.database, NAME).await?;
        postgres::check_migrated(&pool, &MIGRATOR).await?;
        let context = Context {
            pool,
            outbox: Outbox::new(Arc::clone(&parts.clock), Arc::clone(&parts.entropy)),
            clock: Arc::clone(&parts.clock),
        };
        Ok(Self { parts, context })
    }
}

#[async_trait]
impl Role for Places {
    fn routes(&self) -> Routes {
        Routes::new(PlacesServer::new(PlacesApi::new(self.context.clone())))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let queue = RetellConsumer::QUEUE;
        let subscription = Subscription::durable(queue, exchange::RETELL, exchange::CATALOG);
        let consumer = RetellConsumer::new(self.context.clone());
        self.parts
            .bus
            .subscribe(subscription, Arc::new(consumer))
            .await
    }

    fn start(&self, life: &Lifecycle) {
        let Context { pool, outbox, .. } = &self.context;
        Relay::new(NAME, pool.clone(), Arc::clone(&self.parts.bus), outbox).start(life);
    }

    async fn check(&self) -> Result<(), Fault> {
        postgres::check(&self.context.pool).await
    }
}
