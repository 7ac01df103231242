//! The service under test, with the places service.

use std::sync::Arc;

use bookmarks::Bookmarks;
use bookmarks_proto::v1::{
    BookmarkRecord, CreateBookmarkRequest, DeleteBookmarkRequest, GetBookmarkMapRequest,
    ListBookmarksRequest, ListBookmarksResponse, bookmarks_client::BookmarksClient,
};
use chassis::{
    bus::{Bus, Durability, Message},
    entropy::{OsEntropy, uuid},
    error::Fault,
    instant,
    role::{Callees, Service},
    rpc::Transport,
};
use chrono::{DateTime, Utc};
use cityguide_proto::{
    events::v1::{LastUpdated, ListingSummary, ListingsChanged},
    exchange,
    intake::v1::Finish,
    key,
    paging::v1::PageRequest,
    saved::v1::{GetStampsRequest, Stamp},
};
use editorial::{ContactSettings, ContestSettings, Editorial};
use places::{Places, RatingSettings};
use places_proto::v1::{
    ImportListing, ImportRequest, ImportType, ListListingsRequest, import_request::Item,
    places_client::PlacesClient,
};
use prost::Message as _;
use prost_types::Timestamp;
use testkit::{
    bus::Recorder,
    calls,
    database::TestDatabase,
    outbox::assert_drains,
    parts::{TestParts, parts_on},
    service::{TestService, nowhere},
};

/// The kind that most tests use; `kinds.rs` uses all.
pub(crate) const FAVOURITES: &str = "favourites";

pub(crate) const ADA: i64 = 1;
pub(crate) const BOB: i64 = 2;

/// The service with its consumers and its relay, and a recorder of its events.
pub(crate) struct Fixture {
    pub(crate) parts: TestParts,
    pub(crate) client: BookmarksClient<Transport>,
    /// The places service, which answers calls, but publishes nothing until it runs.
    pub(crate) places: TestService,
    /// The editorial service, which answers calls, but publishes nothing.
    pub(crate) editorial: TestService,
    published: Arc<Recorder>,
    service: TestService,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        let migrate = async |settings| {
            Places::SCHEMA.migrate(&settings).await?;
            Editorial::SCHEMA.migrate(&settings).await?;
            Bookmarks::SCHEMA.migrate(&settings).await
        };
        let parts = parts_on(TestDatabase::migrated("bookmarks", migrate).await);
        let role = Places::create(parts.shared(), ratings(), Callees::default())
            .await
            .expect("connects");
        let places = TestService::without_background(&parts, role);
        let (bus, durability) = (parts.bus.as_ref(), Durability::Durable);
        let published =
            Recorder::on(bus, "published", exchange::LAST_UPDATES, "#", durability).await;
        let settings = editorial::Settings {
            site: testkit::parts::site(),
            contests: ContestSettings {
                keep_entries_days: 90,
            },
            contact: ContactSettings {
                to: "The editors <editor@guide.test>".to_owned(),
            },
        };
        let role = Editorial::create(
            parts.shared(),
            settings,
            Callees::from_iter([("places", places.transport())]),
        )
        .await
        .expect("connects");
        let editorial = TestService::without_background(&parts, role);
        let callees = [
            ("places", places.transport()),
            ("editorial", editorial.transport()),
        ];
        let role = Bookmarks::create(parts.shared(), (), callees.into_iter().collect())
            .await
            .expect("connects");
        let service = TestService::start(&parts, role).await;
        service.assert_ready().await;
        let client = BookmarksClient::new(service.transport());
        Self {
            parts,
            client,
            places,
            editorial,
            published,
            service,
        }
    }

    /// A fixture with places of these names; their ids begin at 1.
    pub(crate) async fn knowing(names: &[&str]) -> Self {
        let fixture = Self::new().await;
        let summaries = (1..)
            .zip(names)
            .map(|(id, name)| summary(id, name, true, 1));
        fixture.hear(summaries.collect()).await;
        fixture
    }

    /// Another replica on the same database, for which the owners of targets are unavailable.
    pub(crate) async fn without_owners(&self) -> BookmarksClient<Transport> {
        let callees = ["places", "editorial"].map(|owner| (owner, nowhere(&self.parts)));
        let role = Bookmarks::create(self.parts.shared(), (), callees.into_iter().collect())
            .await
            .expect("connects");
        BookmarksClient::new(TestService::without_background(&self.parts, role).transport())
    }

    /// Returns the transport, for clients that few tests need.
    pub(crate) fn transport(&self) -> Transport {
        self.service.transport()
    }

    /// Delivers an event of the places service.
    pub(crate) async fn hear(&self, listings: Vec<ListingSummary>) {
        self.hear_of(key::LISTINGS_CHANGED, &ListingsChanged { listings })
            .await;
    }

    /// Delivers an event of the catalogue.
    pub(crate) async fn hear_of(&self, key: &str, event: &impl prost::Message) {
        let message = Message {
            id: uuid(&OsEntropy),
            exchange: exchange::CATALOG.to_owned(),
            key: key.to_owned(),
            payload: event.encode_to_vec().into(),
            traceparent: None,
        };
        self.deliver(message).await.expect("handled");
    }

    pub(crate) async fn deliver(&self, message: Message) -> Result<(), Fault> {
        self.parts.bus.publish(message).await
    }

    /// Imports places into the places service; returns their ids in the order of the names.
    pub(crate) async fn import(&self, names: &[&str]) -> Vec<i64> {
        let kind = ImportType {
            slug: "restaurants".to_owned(),
            name: "Restaurants".to_owned(),
            name_singular: "Restaurant".to_owned(),
            is_food: true,
            is_age_restricted: false,
            position: String::new(),
        };
        let listing = |name: &&str| {
            Item::Listing(ImportListing {
                source_id: format!("test:{name}"),
                name: (*name).to_owned(),
                type_slug: "restaurants".to_owned(),
                ..ImportListing::default()
            })
        };
        let messages: Vec<ImportRequest> = [Item::Type(kind)]
            .into_iter()
            .chain(names.iter().map(listing))
            .chain([Item::Finish(Finish::default())])
            .map(|item| ImportRequest { item: Some(item) })
            .collect();
        let mut client = PlacesClient::new(self.places.transport());
        let stream = calls::operator(futures::stream::iter(messages));
        client.import(stream).await.expect("imports");
        let page = PageRequest {
            ordering: "name".to_owned(),
            limit: 100,
            ..PageRequest::default()
        };
        let request = ListListingsRequest {
            page: Some(page),
            ..ListListingsRequest::default()
        };
        let all = client
            .list_listings(calls::guest(request))
            .await
            .expect("answers")
            .into_inner();
        all.listings.iter().map(|listing| listing.id).collect()
    }

    pub(crate) async fn create(
        &self,
        reader: i64,
        listing_id: i64,
    ) -> Result<BookmarkRecord, Fault> {
        create(&self.client, reader, listing_id).await
    }

    pub(crate) async fn delete(&self, reader: i64, id: i64) -> Result<DateTime<Utc>, Fault> {
        let request = calls::reader(
            reader,
            DeleteBookmarkRequest {
                kind: FAVOURITES.to_owned(),
                id,
            },
        );
        Ok(at(self
            .client
            .clone()
            .delete_bookmark(request)
            .await?
            .into_inner()
            .stamp))
    }

    /// Pairs of listing and record, and the instant up to which they are complete.
    pub(crate) async fn map(&self, reader: i64) -> (Vec<(i64, i64)>, DateTime<Utc>) {
        let request = calls::reader(
            reader,
            GetBookmarkMapRequest {
                kind: FAVOURITES.to_owned(),
            },
        );
        let map = self
            .client
            .clone()
            .get_bookmark_map(request)
            .await
            .expect("answers")
            .into_inner();
        let pairs = map
            .entries
            .iter()
            .map(|entry| (entry.target_id, entry.id))
            .collect();
        (pairs, at(map.as_of))
    }

    pub(crate) async fn stamps(&self, reader: i64) -> Vec<Stamp> {
        let request = calls::reader(reader, GetStampsRequest {});
        self.client
            .clone()
            .get_stamps(request)
            .await
            .expect("answers")
            .into_inner()
            .stamps
    }

    /// The instant and the count of a reader's favourites.
    pub(crate) async fn stamp(&self, reader: i64) -> Option<(DateTime<Utc>, i64)> {
        let stamps = self.stamps(reader).await;
        let stamp = stamps.into_iter().find(|stamp| stamp.kind == FAVOURITES)?;
        Some((at(stamp.at), stamp.count))
    }

    pub(crate) async fn list(
        &self,
        reader: i64,
        page: PageRequest,
    ) -> Result<ListBookmarksResponse, Fault> {
        let request = calls::reader(
            reader,
            ListBookmarksRequest {
                kind: FAVOURITES.to_owned(),
                page: Some(page),
                is_done: None,
            },
        );
        Ok(self
            .client
            .clone()
            .list_bookmarks(request)
            .await?
            .into_inner())
    }

    /// The announced changes, after the outbox has been drained.
    pub(crate) async fn published(&self) -> Vec<(i64, DateTime<Utc>)> {
        assert_drains(&self.parts.database, "bookmarks").await;
        self.published
            .payloads()
            .iter()
            .map(|payload| LastUpdated::decode(payload.as_slice()).expect("an event"))
            .inspect(|event| assert_eq!(event.kind, FAVOURITES))
            .map(|event| (event.profile_id, at(event.at)))
            .collect()
    }
}

pub(crate) async fn create(
    client: &BookmarksClient<Transport>,
    reader: i64,
    listing_id: i64,
) -> Result<BookmarkRecord, Fault> {
    let request = calls::reader(
        reader,
        CreateBookmarkRequest {
            kind: FAVOURITES.to_owned(),
            target_id: listing_id,
            ..CreateBookmarkRequest::default()
        },
    );
    Ok(client.clone().create_bookmark(request).await?.into_inner())
}

pub(crate) fn summary(id: i64, name: &str, is_available: bool, version: i64) -> ListingSummary {
    let (name, date_published) = (name.to_owned(), Some(Timestamp::default()));
    ListingSummary {
        id,
        name,
        is_available,
        date_published,
        version,
    }
}

pub(crate) fn at(timestamp: Option<Timestamp>) -> DateTime<Utc> {
    timestamp
        .as_ref()
        .and_then(instant::from_proto)
        .expect("an instant")
}

pub(crate) fn page(limit: u32) -> PageRequest {
    PageRequest {
        limit,
        ..PageRequest::default()
    }
}

/// Settings under which no votes count as a burst.
fn ratings() -> RatingSettings {
    RatingSettings {
        burst_votes: u32::MAX,
        burst_minutes: 60,
        burst_wait_hours: 24,
    }
}
