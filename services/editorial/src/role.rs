//! The service as the process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    bus::exchange,
    error::Fault,
    lifecycle::Lifecycle,
    mail::PostOffice,
    postgres::{self, MailQueue, MailRelay, Part, ReplayConsumer, Schema},
    role::{Core, Parts, Role},
};
use chrono::TimeDelta;
use cityguide_proto::editorial::v1::editorial_server::EditorialServer;
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    context::Context, grpc::EditorialApi, jobs, settings::Settings,
    usecases::replay_items::replay_items,
};

static MIGRATOR: Migrator = sqlx::migrate!();
const SCHEMA: Schema<'static> = Schema {
    name: "editorial",
    own: &MIGRATOR,
    parts: &[Part::Events, Part::IdempotencyKeys, Part::Mails],
};

/// The editorial service.
#[derive(Debug)]
pub struct Editorial {
    core: Core,
    post: PostOffice,
    context: Context,
}

impl Editorial {
    /// Brings the service's schema up to date.
    pub async fn migrate(database: &postgres::Settings) -> Result<(), Fault> {
        SCHEMA.migrate(database).await
    }

    /// Connects the service to its database.
    pub async fn create(parts: Parts, settings: &Settings) -> Result<Self, Fault> {
        let post = parts.post.clone();
        let mails = MailQueue::new(Arc::clone(&parts.clock), Arc::clone(&parts.entropy));
        let core = Core::open(SCHEMA, parts).await?;
        let context = Context {
            pool: core.pool.clone(),
            outbox: core.outbox.clone(),
            mails,
            contact: settings.contact.address(&post)?,
            clock: core.clock(),
            entries_kept: TimeDelta::days(settings.contests.keep_entries_days.into()),
        };
        Ok(Self {
            core,
            post,
            context,
        })
    }
}

#[async_trait]
impl Role for Editorial {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        Routes::new(EditorialServer::new(EditorialApi::new(
            self.context.clone(),
        )))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let context = self.context.clone();
        // Items do not say when they changed; there are far fewer of them than of readers' things.
        let replay = ReplayConsumer::new(move |_since| {
            let context = context.clone();
            async move { replay_items(&context).await }
        });
        let (queue, key) = ("editorial.retell", exchange::CATALOG);
        self.core
            .consume(queue, exchange::REPLAY, key, replay)
            .await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        let Context { pool, mails, .. } = &self.context;
        let periodic = &self.core.jobs;
        MailRelay::new(SCHEMA.name, pool.clone(), self.post.clone(), mails).start(life, periodic);
        jobs::publish::start(&self.context, periodic, life);
        jobs::forget_entries::start(&self.context, periodic, life);
    }
}
