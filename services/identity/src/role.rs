//! The service as the process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    bus::{Subscription, exchange},
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{self, Outbox, Relay, jobs},
    role::{Parts, Role},
};
use cityguide_proto::identity::v1::identity_server::IdentityServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    consumers::LastUpdatedConsumer, context::Context, domain::PasswordHasher, grpc::IdentityApi,
    jobs::purge_sessions::purge_sessions,
};

const NAME: &str = "identity";
static MIGRATOR: Migrator = sqlx::migrate!();

/// The identity service.
pub struct Identity {
    parts: Parts,
    context: Context,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl Identity {
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
            cache: Arc::clone(&parts.cache),
            clock: Arc::clone(&parts.clock),
            entropy: Arc::clone(&parts.entropy),
            passwords: PasswordHasher::new(parts.entropy.as_ref())?,
        };
        Ok(Self { parts, context })
    }
}

#[async_trait]
impl Role for Identity {
    fn routes(&self) -> Routes {
        Routes::new(IdentityServer::new(IdentityApi::new(self.context.clone())))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let queue = LastUpdatedConsumer::QUEUE;
        let subscription = Subscription::durable(queue, exchange::LAST_UPDATES, "#");
        let consumer = LastUpdatedConsumer::new(self.context.clone());
        self.parts
            .bus
            .subscribe(subscription, Arc::new(consumer))
            .await
    }

    fn start(&self, life: &Lifecycle) {
        let context = self.context.clone();
        jobs::every(
            life,
            context.pool.clone(),
            "purge ended sessions",
            jobs::HOUR,
            move || {
                let context = context.clone();
                Box::pin(async move { purge_sessions(&context).await })
            },
        );
        let Context {
            pool,
            outbox,
            clock,
            ..
        } = &self.context;
        Relay::new(NAME, pool.clone(), Arc::clone(&self.parts.bus), outbox).start(life);
        postgres::forget_handled_by_and_by(life, pool, clock);
    }

    async fn check(&self) -> Result<(), Fault> {
        postgres::check(&self.context.pool).await
    }
}
