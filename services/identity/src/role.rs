//! The service as the process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{Part, Schema},
    role::{Callees, Core, Parts, Role, Service},
};
use cityguide_proto::{exchange, identity::v1::identity_server::IdentityServer};
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    consumers::LastUpdatedConsumer, context::Context, domain::PasswordHasher, grpc::IdentityApi,
    jobs::purge_sessions::purge_sessions,
};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "identity",
    own: &MIGRATOR,
    parts: &[Part::Events],
};

/// The identity service.
#[derive(Debug)]
pub struct Identity {
    core: Core,
    context: Context,
}

#[async_trait]
impl Service for Identity {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    type Settings = ();

    async fn create(parts: Parts, (): (), _: Callees) -> Result<Self, Fault> {
        let (cache, entropy) = (Arc::clone(&parts.cache), Arc::clone(&parts.entropy));
        let core = Core::open(&SCHEMA, parts).await?;
        let context = Context {
            pool: core.pool.clone(),
            outbox: core.outbox.clone(),
            cache,
            clock: core.clock(),
            passwords: PasswordHasher::new(entropy.as_ref())?,
            entropy,
        };
        Ok(Self { core, context })
    }
}

#[async_trait]
impl Role for Identity {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        Routes::new(IdentityServer::new(IdentityApi::new(self.context.clone())))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let consumer = LastUpdatedConsumer::new(self.context.clone());
        let queue = LastUpdatedConsumer::QUEUE;
        self.core
            .consume(queue, exchange::LAST_UPDATES, "#", consumer)
            .await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        let context = self.context.clone();
        self.core
            .periodic
            .hourly(life, "purge ended sessions", move || {
                let context = context.clone();
                async move { purge_sessions(&context).await }
            });
    }
}
