//! The service's interface for the process.

use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{Part, ReplayConsumer, Schema, stamps::Stamps},
    role::{Callees, Core, Parts, Role, Service},
};
use cityguide_proto::{Contract, exchange};
use places_proto::v1::{
    inspections_server::InspectionsServer, places_server::PlacesServer,
    ratings_server::RatingsServer, readers_server::ReadersServer,
};
use sqlx::{PgPool, migrate::Migrator};
use tonic::service::Routes;

use crate::{
    context::Context,
    domain::SourceKind,
    grpc::Api,
    jobs,
    settings::RatingSettings,
    usecases::{bursts::held, match_places::bulkhead, replay_listings::replay_listings},
};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "places",
    own: &MIGRATOR,
    parts: &[Part::Erased, Part::Events, Part::Extensions, Part::Stamps],
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
    const CONTRACT: Contract = places_proto::CONTRACT;
    type Settings = RatingSettings;

    async fn create(parts: Parts, settings: RatingSettings, _: Callees) -> Result<Self, Fault> {
        settings.validate()?;
        for kind in [SourceKind::Network, SourceKind::AccountHour] {
            // Registers the counter at 0 before the first burst.
            held(kind).increment(0);
        }
        let core = Core::open(&SCHEMA, parts).await?;
        let matching = bulkhead();
        let context = |pool: &PgPool| Context {
            stamps: Stamps::new(pool.clone(), core.outbox.clone(), core.clock()),
            bursts: settings.rule(),
            matching: matching.clone(),
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
        let api = Api {
            context: self.context.clone(),
            background: self.background.clone(),
        };
        Routes::new(PlacesServer::new(api.clone()))
            .add_service(InspectionsServer::new(api.clone()))
            .add_service(RatingsServer::new(api.clone()))
            .add_service(ReadersServer::new(api))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let context = self.background.clone();
        // Replays all places, because their changes have no time: there are far fewer places than readers' records.
        let replay = ReplayConsumer::new(move |_since| {
            let context = context.clone();
            async move { replay_listings(&context).await }
        });
        let (queue, key) = ("places.retell", exchange::CATALOG);
        self.core
            .consume(queue, exchange::REPLAY, key, replay)
            .await?;
        let stamps = self.background.stamps.clone();
        let replay = ReplayConsumer::new(move |since| {
            let stamps = stamps.clone();
            async move { stamps.replay(since).await }
        });
        let (queue, key) = ("places.retell_stamps", exchange::LAST_UPDATES);
        self.core
            .consume(queue, exchange::REPLAY, key, replay)
            .await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        jobs::start(&self.background, &self.core.periodic, life);
    }
}
