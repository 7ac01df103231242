//! The service's interface to the process.

use std::{sync::Arc, time::Duration};

use ad_delivery::LogSigner;
use ads_proto::v1::{campaigns_server::CampaignsServer, delivery_server::DeliveryServer};
use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{Part, Schema},
    role::{Callees, Core, Parts, Role, Service},
};
use chrono_tz::Tz;
use cityguide_proto::Contract;
use sqlx::{PgPool, migrate::Migrator};
use tonic::service::Routes;

use crate::{
    context::Context,
    grpc::Api,
    loaded::Loaded,
    settings::Settings,
    usecases::{
        judge::judge_in_background,
        purge::{measure, purge_events, purge_reports},
    },
};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "ads",
    own: &MIGRATOR,
    parts: &[Part::Events],
};

/// The maximum time until an event is judged, unless figures are requested sooner.
const JUDGED_WITHIN: Duration = Duration::from_secs(2);

/// The interval of runs that delete expired events. It is longer than a call that reads the log may take between a batch
/// and its events.
const PURGED_WITHIN: Duration = Duration::from_mins(1);

/// The ads service.
#[derive(Debug)]
pub struct Ads {
    core: Core,
    context: Context,
    background: Context,
}

#[async_trait]
impl Service for Ads {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    const CONTRACT: Contract = ads_proto::CONTRACT;
    /// Line items target hours in the site's time zone.
    const READS_SITE_FILE: bool = true;
    type Settings = Settings;

    async fn create(parts: Parts, settings: Settings, _: Callees) -> Result<Self, Fault> {
        settings.ads.validate()?;
        let core = Core::open(&SCHEMA, parts).await?;
        let zone = settings.timezone.unwrap_or_else(|| {
            tracing::warn!("no site file (site.file): ads target hours in UTC");
            Tz::UTC
        });
        let loaded = Arc::new(Loaded::default());
        let signer = Arc::new(LogSigner::new(&core.keys()));
        let context = |pool: &PgPool| Context {
            pool: pool.clone(),
            outbox: core.outbox.clone(),
            clock: core.clock(),
            zone,
            loaded: Arc::clone(&loaded),
            signer: Arc::clone(&signer),
            keep_events: settings.ads.keep_events(),
            keep_reports: settings.ads.keep_reports(),
        };
        Ok(Self {
            context: context(&core.pools.calls),
            background: context(&core.pools.background),
            core,
        })
    }
}

#[async_trait]
impl Role for Ads {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        let api = Api::new(self.context.clone());
        Routes::new(CampaignsServer::new(api.clone())).add_service(DeliveryServer::new(api))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn start_jobs(&self, life: &Lifecycle) {
        // Reports today as the oldest day until the first purge.
        measure(&self.background, None);
        let periodic = &self.core.periodic;
        periodic.every(
            life,
            "judge events of ads",
            JUDGED_WITHIN,
            &self.background,
            judge_in_background,
        );
        periodic.every(
            life,
            "purge events of ads",
            PURGED_WITHIN,
            &self.background,
            purge_events,
        );
        periodic.hourly(
            life,
            "purge reports of ads",
            &self.background,
            purge_reports,
        );
    }
}
