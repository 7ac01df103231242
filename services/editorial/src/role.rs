//! The service as the process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    bus::{Subscription, exchange},
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{self, MailQueue, MailRelay, Outbox, Relay},
    role::{Parts, Role},
};
use chrono::TimeDelta;
use cityguide_proto::editorial::v1::editorial_server::EditorialServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    consumers::RetellConsumer, context::Context, grpc::EditorialApi, jobs, settings::Settings,
};

const NAME: &str = "editorial";
static MIGRATOR: Migrator = sqlx::migrate!();

/// The editorial service.
pub struct Editorial {
    parts: Parts,
    context: Context,
}

impl std::fmt::Debug for Editorial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Editorial").finish_non_exhaustive()
    }
}

impl Editorial {
    /// Brings the service's schema up to date.
    pub async fn migrate(database: &postgres::Settings) -> Result<(), Fault> {
        postgres::migrate(&postgres::connect(database, NAME).await?, &MIGRATOR).await
    }

    /// Connects the service to what it stands on.
    pub async fn create(parts: Parts, settings: &Settings) -> Result<Self, Fault> {
        let pool = postgres::connect(&parts.database, NAME).await?;
        postgres::check_migrated(&pool, &MIGRATOR).await?;
        let context = Context {
            pool,
            outbox: Outbox::new(Arc::clone(&parts.clock), Arc::clone(&parts.entropy)),
            mails: MailQueue::new(Arc::clone(&parts.clock), Arc::clone(&parts.entropy)),
            contact: settings.contact.address(&parts.post)?,
            clock: Arc::clone(&parts.clock),
            entries_kept: TimeDelta::days(settings.contests.keep_entries_days.into()),
        };
        Ok(Self { parts, context })
    }
}

#[async_trait]
impl Role for Editorial {
    fn routes(&self) -> Routes {
        Routes::new(EditorialServer::new(EditorialApi::new(
            self.context.clone(),
        )))
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
        let Context {
            pool,
            outbox,
            mails,
            clock,
            ..
        } = &self.context;
        Relay::new(NAME, pool.clone(), Arc::clone(&self.parts.bus), outbox).start(life);
        let post = self.parts.post.clone();
        MailRelay::new(NAME, pool.clone(), post, mails).start(life);
        postgres::forget_keys_by_and_by(life, pool, clock);
        jobs::publish::start(&self.context, life);
        jobs::forget_entries::start(&self.context, life);
    }

    async fn check(&self) -> Result<(), Fault> {
        postgres::check(&self.context.pool).await
    }
}
