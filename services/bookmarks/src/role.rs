//! The service as the process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    bus::{Subscription, exchange, key},
    error::Fault,
    gather::Gather,
    lifecycle::Lifecycle,
    postgres::{self, Outbox, Relay},
    role::{Parts, Role},
    rpc::Transport,
};
use cityguide_proto::{
    bookmarks::v1::bookmarks_server::BookmarksServer, places::v1::places_client::PlacesClient,
};
use sqlx::migrate::Migrator;
use tonic::service::Routes;

use crate::{
    consumers::{ItemsChangedConsumer, ListingsChangedConsumer, RetellConsumer},
    context::Context,
    grpc::BookmarksApi,
    store::stamps,
};

const NAME: &str = "bookmarks";
static MIGRATOR: Migrator = sqlx::migrate!();

/// The bookmarks service.
pub struct Bookmarks {
    parts: Parts,
    context: Context,
}

impl std::fmt::Debug for Bookmarks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bookmarks").finish_non_exhaustive()
    }
}

impl Bookmarks {
    /// Brings the service's schema up to date.
    pub async fn migrate(database: &postgres::Settings) -> Result<(), Fault> {
        postgres::migrate(&postgres::connect(database, NAME).await?, &MIGRATOR).await
    }

    /// Connects the service to what it stands on. `places` is asked about places that no event has
    /// told of yet.
    pub async fn create(parts: Parts, places: Transport) -> Result<Self, Fault> {
        let pool = postgres::connect(&parts.database, NAME).await?;
        postgres::check_migrated(&pool, &MIGRATOR).await?;
        let reading = pool.clone();
        let stamps = Gather::new(move |profile_ids: Vec<i64>| {
            let pool = reading.clone();
            async move { Ok(stamps::of_readers(&pool, &profile_ids).await?) }
        });
        let context = Context {
            pool,
            stamps,
            outbox: Outbox::new(Arc::clone(&parts.clock), Arc::clone(&parts.entropy)),
            clock: Arc::clone(&parts.clock),
            places: PlacesClient::new(places),
        };
        Ok(Self { parts, context })
    }
}

#[async_trait]
impl Role for Bookmarks {
    fn routes(&self) -> Routes {
        Routes::new(BookmarksServer::new(BookmarksApi::new(
            self.context.clone(),
        )))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let durable = Subscription::durable;
        let bus = &self.parts.bus;
        let (queue, key) = (ListingsChangedConsumer::QUEUE, key::LISTINGS_CHANGED);
        let listings = ListingsChangedConsumer::new(self.context.clone());
        bus.subscribe(durable(queue, exchange::CATALOG, key), Arc::new(listings))
            .await?;
        let (queue, key) = (ItemsChangedConsumer::QUEUE, key::ITEMS_CHANGED);
        let items = ItemsChangedConsumer::new(self.context.clone());
        bus.subscribe(durable(queue, exchange::CATALOG, key), Arc::new(items))
            .await?;
        let (queue, key) = (RetellConsumer::QUEUE, exchange::LAST_UPDATES);
        let retell = RetellConsumer::new(self.context.clone());
        bus.subscribe(durable(queue, exchange::RETELL, key), Arc::new(retell))
            .await
    }

    fn start(&self, life: &Lifecycle) {
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
