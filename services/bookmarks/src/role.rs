//! The service's interface to the process.

use async_trait::async_trait;
use bookmarks_proto::v1::{
    bookmarks_server::BookmarksServer, readers_server::ReadersServer, saved_server::SavedServer,
};
use chassis::{
    error::Fault,
    postgres::{Part, ReplayConsumer, Schema, stamps::Stamps},
    role::{Callees, Core, Parts, Role, Service},
};
use cityguide_proto::{Contract, exchange, key};
use editorial_proto::v1::editorial_client::EditorialClient;
use places_proto::v1::places_client::PlacesClient;
use sqlx::{PgPool, migrate::Migrator};
use tonic::service::Routes;

use crate::{
    consumers::{ItemsChangedConsumer, ListingsChangedConsumer},
    context::Context,
    grpc::Api,
    usecases::calendar::replay_calendars,
};

static MIGRATOR: Migrator = sqlx::migrate!();

static SCHEMA: Schema<'static> = Schema {
    name: "bookmarks",
    own: &MIGRATOR,
    parts: &[Part::Erased, Part::Events, Part::Extensions, Part::Stamps],
};

/// The bookmarks service.
#[derive(Debug)]
pub struct Bookmarks {
    core: Core,
    context: Context,
    background: Context,
}

#[async_trait]
impl Service for Bookmarks {
    const SCHEMA: &'static Schema<'static> = &SCHEMA;
    const CONTRACT: Contract = bookmarks_proto::CONTRACT;
    /// The owners return places and items that no event has announced yet.
    const CALLS: &'static [&'static str] = &["places", "editorial"];
    type Settings = ();

    async fn create(parts: Parts, (): (), callees: Callees) -> Result<Self, Fault> {
        let core = Core::open(&SCHEMA, parts).await?;
        let places = PlacesClient::new(callees.get("places")?);
        let editorial = EditorialClient::new(callees.get("editorial")?);
        let context = |pool: &PgPool| Context {
            stamps: Stamps::new(pool.clone(), core.outbox.clone(), core.clock()),
            pool: pool.clone(),
            outbox: core.outbox.clone(),
            clock: core.clock(),
            places: places.clone(),
            editorial: editorial.clone(),
        };
        Ok(Self {
            context: context(&core.pools.calls),
            background: context(&core.pools.background),
            core,
        })
    }
}

#[async_trait]
impl Role for Bookmarks {
    fn core(&self) -> &Core {
        &self.core
    }

    fn routes(&self) -> Routes {
        let api = Api {
            context: self.context.clone(),
        };
        Routes::new(BookmarksServer::new(api.clone()))
            .add_service(ReadersServer::new(api.clone()))
            .add_service(SavedServer::new(api))
    }

    async fn subscribe(&self) -> Result<(), Fault> {
        let core = &self.core;
        let listings = ListingsChangedConsumer::new(self.background.clone());
        let (queue, key) = (ListingsChangedConsumer::QUEUE, key::LISTINGS_CHANGED);
        core.consume(queue, exchange::CATALOG, key, listings)
            .await?;
        let items = ItemsChangedConsumer::new(self.background.clone());
        let (queue, key) = (ItemsChangedConsumer::QUEUE, key::ITEMS_CHANGED);
        core.consume(queue, exchange::CATALOG, key, items).await?;
        let stamps = self.background.stamps.clone();
        let replay = ReplayConsumer::new(move |since| {
            let stamps = stamps.clone();
            async move { stamps.replay(since).await }
        });
        let (queue, key) = ("bookmarks.retell", exchange::LAST_UPDATES);
        core.consume(queue, exchange::REPLAY, key, replay).await?;
        let context = self.background.clone();
        let calendars = ReplayConsumer::new(move |_| {
            let context = context.clone();
            async move { replay_calendars(&context).await }
        });
        let (queue, key) = ("bookmarks.calendar_replays", exchange::CALENDAR);
        core.consume(queue, exchange::REPLAY, key, calendars).await
    }
}
