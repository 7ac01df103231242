//! The service's interface to the process.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{Part, Schema},
    role::{Callees, Core, Parts, Role, Service},
};
use cityguide_proto::{Contract, exchange, key};
use photos_proto::v1::{
    avatars_server::AvatarsServer, imports_server::ImportsServer, photos_server::PhotosServer,
    readers_server::ReadersServer, review_server::ReviewServer,
};
use places_proto::v1::places_client::PlacesClient;
use sqlx::{PgPool, migrate::Migrator};
use tokio::sync::watch;
use tonic::service::Routes;

use crate::{
    consumers::{listings_changed, profile_changed},
    context::Context,
    grpc::Api,
    jobs::{delete_files, make_pictures},
    memory::Memory,
    settings::PhotoSettings,
    usecases::purge::{purge_decisions, purge_incoming, purge_refused},
};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "photos",
    own: &MIGRATOR,
    parts: &[
        Part::Erased,
        Part::Events,
        Part::IdempotencyKeys,
        Part::Jobs,
    ],
};

/// The photos service.
#[derive(Debug)]
pub struct Photos {
    core: Core,
    context: Context,
    background: Context,
    workers: usize,
}

#[async_trait]
impl Service for Photos {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    const CONTRACT: Contract = photos_proto::CONTRACT;
    /// The places service returns whether a place accepts photos and is age-restricted.
    const CALLS: &'static [&'static str] = &["places"];
    const USES_BLOBS: bool = true;
    type Settings = PhotoSettings;

    async fn create(
        parts: Parts,
        settings: PhotoSettings,
        callees: Callees,
    ) -> Result<Self, Fault> {
        settings.validate()?;
        let entropy = Arc::clone(&parts.entropy);
        let core = Core::open(&SCHEMA, parts).await?;
        let blobs = core.blobs()?;
        let places = PlacesClient::new(callees.get("places")?);
        let [inspections, pictures] = settings.memory();
        let inspections = Memory::new("inspections", inspections);
        let pictures = Memory::new("pictures", pictures);
        let made = Arc::new(watch::Sender::new(()));
        let context = |pool: &PgPool| Context {
            pool: pool.clone(),
            outbox: core.outbox.clone(),
            jobs: core.jobs.clone(),
            clock: core.clock(),
            entropy: Arc::clone(&entropy),
            blobs: blobs.clone(),
            places: places.clone(),
            inspections: inspections.clone(),
            pictures: pictures.clone(),
            trust: settings.trust(),
            keep_refused: settings.keep_refused(),
            keep_decisions: settings.keep_decisions(),
            made: Arc::clone(&made),
        };
        Ok(Self {
            context: context(&core.pools.calls),
            background: context(&core.pools.background),
            workers: settings.workers.into(),
            core,
        })
    }
}

#[async_trait]
impl Role for Photos {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        let api = Api {
            context: self.context.clone(),
        };
        Routes::new(PhotosServer::new(api.clone()))
            .add_service(AvatarsServer::new(api.clone()))
            .add_service(ImportsServer::new(api.clone()))
            .add_service(ReviewServer::new(api.clone()))
            .add_service(ReadersServer::new(api))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let names = profile_changed::profile_changed(self.background.clone());
        let (queue, key) = (profile_changed::QUEUE, key::PROFILE_CHANGED);
        self.core
            .consume(queue, exchange::LIFECYCLE, key, names)
            .await?;
        let restricted = listings_changed::listings_changed(self.background.clone());
        let (queue, key) = (listings_changed::QUEUE, key::LISTINGS_CHANGED);
        self.core
            .consume(queue, exchange::CATALOG, key, restricted)
            .await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        let context = &self.background;
        let policy = make_pictures::policy(self.workers);
        let core = &self.core;
        core.run_jobs(life, policy, context, make_pictures::make_sizes);
        let one = make_pictures::policy(1);
        core.run_jobs(life, one, context, make_pictures::make_avatar);
        core.run_jobs(
            life,
            delete_files::POLICY,
            context,
            delete_files::delete_files,
        );
        let periodic = &self.core.periodic;
        periodic.hourly(life, "purge refused photos", context, purge_refused);
        periodic.hourly(
            life,
            "purge decisions about photos",
            context,
            purge_decisions,
        );
        periodic.hourly(life, "purge received files", context, purge_incoming);
    }
}
