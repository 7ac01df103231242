//! The service as the process sees it.

use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{Part, ReplayConsumer, Schema},
    role::{Callees, Core, Parts, Role, Service},
};
use cityguide_proto::{exchange, places::v1::places_server::PlacesServer};
use sqlx::{PgPool, migrate::Migrator};
use tonic::service::Routes;

use crate::{context::Context, grpc::PlacesApi, jobs, usecases::replay_listings::replay_listings};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "places",
    own: &MIGRATOR,
    parts: &[Part::Events, Part::Extensions],
};

/// The places service.
#[derive(Debug)]
pub struct Places {
    core: Core,
    context: Context,
    background: Context,
}

#[async_trait]
impl Service for Places {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    type Settings = ();

    async fn create(parts: Parts, (): (), _: Callees) -> Result<Self, Fault> {
        let core = Core::open(&SCHEMA, parts).await?;
        let context = |pool: &PgPool| Context {
            pool: pool.clone(),
            outbox: core.outbox.clone(),
            clock: core.clock(),
        };
        Ok(Self {
            context: context(&core.pools.calls),
            background: context(&core.pools.background),
            core,
        })
    }
}

#[async_trait]
impl Role for Places {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        let api = PlacesApi::new(self.context.clone(), self.background.clone());
        Routes::new(PlacesServer::new(api))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let context = self.background.clone();
        // Places do not say when they changed; there are far fewer of them than of readers' things.
        let replay = ReplayConsumer::new(move |_since| {
            let context = context.clone();
            async move { replay_listings(&context).await }
        });
        let (queue, key) = ("places.retell", exchange::CATALOG);
        self.core
            .consume(queue, exchange::REPLAY, key, replay)
            .await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        jobs::compute_open_periods::start(&self.background, &self.core.periodic, life);
        jobs::rank_by_votes::start(&self.background, &self.core.periodic, life);
    }
}
