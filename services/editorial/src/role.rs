//! The service's interface for the process.

use async_trait::async_trait;
use chassis::{
    error::Fault,
    lifecycle::Lifecycle,
    mail::Site,
    postgres::{Part, ReplayConsumer, Schema},
    role::{Callees, Core, Parts, Role, Service},
};
use chrono::TimeDelta;
use cityguide_proto::{Contract, exchange, key};
use editorial_proto::v1::{
    drafts_server::DraftsServer, editorial_server::EditorialServer, readers_server::ReadersServer,
    search_server::SearchServer, sources_server::SourcesServer,
};
use places_proto::v1::places_client::PlacesClient;
use sqlx::{PgPool, migrate::Migrator};
use tonic::service::Routes;

use crate::{
    consumers::search,
    context::Context,
    grpc::Api,
    jobs,
    settings::Settings,
    usecases::{
        replay_items::replay_items,
        search::{cached::Cached, find, parts::current_names},
    },
};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "editorial",
    own: &MIGRATOR,
    parts: &[
        Part::Erased,
        Part::Events,
        Part::Extensions,
        Part::IdempotencyKeys,
        Part::Jobs,
    ],
};

/// The editorial service.
#[derive(Debug)]
pub struct Editorial {
    core: Core,
    context: Context,
    background: Context,
}

#[async_trait]
impl Service for Editorial {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    const CONTRACT: Contract = editorial_proto::CONTRACT;
    /// The places service returns search data of places, and the places that are open.
    const CALLS: &'static [&'static str] = &["places"];
    const SENDS_MAIL: bool = true;
    /// The service polls the sources in the site's file.
    const READS_SITE_FILE: bool = true;
    type Settings = Settings;

    async fn create(parts: Parts, settings: Settings, callees: Callees) -> Result<Self, Fault> {
        let core = Core::open(&SCHEMA, parts).await?;
        let contact = settings.contact.address(&core.post())?;
        let site = Site::new(&settings.site, &core.post())?;
        let places = PlacesClient::new(callees.get("places")?);
        // Reading all words or names may take longer than a call.
        let pool = &core.pools.background;
        let lexicon = Cached::new(pool.clone(), core.clock());
        let names = Cached::new(pool.clone(), core.clock());
        let searches = find::bulkhead();
        let context = |pool: &PgPool| Context {
            pool: pool.clone(),
            outbox: core.outbox.clone(),
            jobs: core.jobs.clone(),
            site: site.clone(),
            contact: contact.clone(),
            clock: core.clock(),
            entries_kept: TimeDelta::days(settings.contests.keep_entries_days.into()),
            places: places.clone(),
            searches: searches.clone(),
            lexicon: lexicon.clone(),
            names: names.clone(),
        };
        Ok(Self {
            context: context(&core.pools.calls),
            background: context(&core.pools.background),
            core,
        })
    }
}

#[async_trait]
impl Role for Editorial {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        let api = Api {
            context: self.context.clone(),
            background: self.background.clone(),
        };
        // Operators and the poller must not wait for readers' connections.
        let background = Api {
            context: self.background.clone(),
            ..api.clone()
        };
        Routes::new(EditorialServer::new(api.clone()))
            .add_service(DraftsServer::new(background.clone()))
            .add_service(ReadersServer::new(api.clone()))
            .add_service(SearchServer::new(api))
            .add_service(SourcesServer::new(background))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let context = self.background.clone();
        // Replays all items, because their changes have no time: there are far fewer items than readers' records.
        let replay = ReplayConsumer::new(move |_since| {
            let context = context.clone();
            async move { replay_items(&context).await }
        });
        let (queue, key) = ("editorial.retell", exchange::CATALOG);
        let core = &self.core;
        core.consume(queue, exchange::REPLAY, key, replay).await?;
        let changed = search::listings_changed(self.background.clone());
        let (queue, key) = (search::LISTINGS, key::LISTINGS_CHANGED);
        core.consume(queue, exchange::CATALOG, key, changed).await?;
        let rated = search::listing_rated(self.background.clone());
        let (queue, key) = (search::RATINGS, key::LISTING_RATED);
        core.consume(queue, exchange::CATALOG, key, rated).await
    }

    fn start_jobs(&self, life: &Lifecycle) {
        self.core.send_mail(life);
        // Preloads the names, so that the first suggestion need not wait.
        let names = self.background.names.clone();
        tokio::spawn(async move { current_names(&names).await });
        jobs::start(&self.background, &self.core.periodic, life);
    }
}
