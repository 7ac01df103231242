//! The service under test, and items to import.

use std::collections::BTreeMap;

use chassis::{
    clock::Clock,
    error::Fault,
    instant,
    role::{Callees, Service},
    rpc::Transport,
};
use chrono::TimeDelta;
use cityguide_proto::{
    events::v1::{ListingSummary, ListingsChanged},
    intake::v1::{Finish, Report},
    key,
    paging::v1::PageRequest,
};
use places::{Places, RatingSettings};
use places_proto::v1::{
    Coordinates, GetListingRequest, ImportListing, ImportNeighbourhood, ImportRequest,
    ImportReview, ImportType, Include, ListListingsRequest, ListListingsResponse, Listing,
    ListingDetail, Origin, RateRequest, RatingRecord, import_request::Item,
    places_client::PlacesClient, ratings_client::RatingsClient,
};
use prost::Message;
use testkit::{
    calls,
    database::TestDatabase,
    outbox,
    parts::{TestParts, parts_on},
    service::TestService,
};

/// The service; its relay does not run, so that events stay in the outbox for inspection.
pub(crate) struct Fixture {
    pub(crate) parts: TestParts,
    pub(crate) client: PlacesClient<Transport>,
    pub(crate) ratings: RatingsClient<Transport>,
    pub(crate) service: TestService,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        let migrate = async |settings| Places::SCHEMA.migrate(&settings).await;
        Self::on(TestDatabase::migrated("places", migrate).await).await
    }

    /// The service on a migrated database.
    pub(crate) async fn on(database: TestDatabase) -> Self {
        let parts = parts_on(database);
        let role = Places::create(parts.shared(), ratings(), Callees::default())
            .await
            .expect("connects");
        let service = TestService::without_background(&parts, role);
        Self {
            client: PlacesClient::new(service.transport()),
            ratings: RatingsClient::new(service.transport()),
            parts,
            service,
        }
    }

    /// The service with the type of [`place`].
    pub(crate) async fn with_restaurants() -> Self {
        let fixture = Self::new().await;
        fixture.import([kind("restaurants")]).await;
        fixture
    }

    /// Imports items; refused items are left out.
    pub(crate) async fn import(&self, items: impl IntoIterator<Item = Item>) -> Report {
        self.import_with(items, Finish::default()).await
    }

    pub(crate) async fn import_with(
        &self,
        items: impl IntoIterator<Item = Item>,
        finish: Finish,
    ) -> Report {
        let items = items.into_iter().chain([Item::Finish(finish)]);
        self.send(items).await.expect("imports")
    }

    /// Sends a stream unchanged.
    pub(crate) async fn send(
        &self,
        items: impl IntoIterator<Item = Item>,
    ) -> Result<Report, Fault> {
        let messages: Vec<_> = items
            .into_iter()
            .map(|item| ImportRequest { item: Some(item) })
            .collect();
        let stream = calls::operator(futures::stream::iter(messages));
        Ok(self.client.clone().import(stream).await?.into_inner())
    }

    pub(crate) async fn list(
        &self,
        request: ListListingsRequest,
    ) -> Result<ListListingsResponse, Fault> {
        Ok(self
            .client
            .clone()
            .list_listings(calls::guest(request))
            .await?
            .into_inner())
    }

    /// Returns the first 100 places, by name. Only for tests in which names are unique.
    pub(crate) async fn by_name(&self) -> BTreeMap<String, Listing> {
        let request = ListListingsRequest {
            page: Some(page(100)),
            ..Default::default()
        };
        let all = self.list(request).await.expect("answers").listings;
        all.into_iter()
            .map(|listing| (listing.name.clone(), listing))
            .collect()
    }

    pub(crate) async fn try_rate(
        &self,
        reader: i64,
        listing_id: i64,
        rating: i32,
    ) -> Result<RatingRecord, Fault> {
        self.rate_from(Origin::default(), reader, listing_id, rating)
            .await
    }

    pub(crate) async fn rate_from(
        &self,
        origin: Origin,
        reader: i64,
        listing_id: i64,
        rating: i32,
    ) -> Result<RatingRecord, Fault> {
        let request = RateRequest {
            listing_id,
            rating,
            origin: Some(origin),
        };
        let request = calls::reader(reader, request);
        Ok(self.ratings.clone().rate(request).await?.into_inner())
    }

    pub(crate) async fn rate(&self, reader: i64, listing_id: i64, rating: i32) -> RatingRecord {
        let kept = self.try_rate(reader, listing_id, rating).await;
        kept.expect("rates")
    }

    /// A place as every reader sees it.
    pub(crate) async fn detail(&self, id: i64, include: &[Include]) -> ListingDetail {
        let request = GetListingRequest {
            id,
            include: include.iter().map(|part| (*part).into()).collect(),
            ..GetListingRequest::default()
        };
        let answer = self.client.clone().get_listing(calls::guest(request)).await;
        answer.expect("there").into_inner()
    }

    /// Slugs of all places, in the order of their sources' ids.
    pub(crate) async fn slugs(&self) -> Vec<String> {
        let statement = "SELECT slug FROM places.listings ORDER BY source_id";
        sqlx::query_scalar(statement)
            .fetch_all(&mut self.parts.database.connection().await)
            .await
            .expect("answers")
    }

    /// The summaries in the outbox, in the order of their writes.
    pub(crate) async fn published(&self) -> Vec<ListingSummary> {
        let waiting = outbox::waiting(&self.parts.database, "places").await;
        let read = |payload: &[u8]| ListingsChanged::decode(payload).expect("an event").listings;
        waiting
            .iter()
            .filter(|event| event.key == key::LISTINGS_CHANGED)
            .flat_map(|event| read(&event.payload))
            .collect()
    }
}

/// Settings under which three votes from one source within an hour count immediately; further votes are held back for a
/// day.
fn ratings() -> RatingSettings {
    RatingSettings {
        burst_votes: 3,
        burst_minutes: 60,
        burst_wait_hours: 24,
    }
}

pub(crate) fn page(limit: u32) -> PageRequest {
    PageRequest {
        limit,
        ..PageRequest::default()
    }
}

pub(crate) fn kind(slug: &str) -> Item {
    Item::Type(ImportType {
        slug: slug.to_owned(),
        name: slug.to_uppercase(),
        name_singular: "One".to_owned(),
        is_food: true,
        is_age_restricted: false,
        position: String::new(),
    })
}

/// A restaurant.
pub(crate) fn place(number: u32, name: &str) -> ImportListing {
    ImportListing {
        position: format!("line {number}"),
        source_id: format!("test:{number}"),
        name: name.to_owned(),
        type_slug: "restaurants".to_owned(),
        ..ImportListing::default()
    }
}

/// A restaurant at longitude and latitude.
pub(crate) fn place_at(number: u32, name: &str, longitude: f64, latitude: f64) -> ImportListing {
    ImportListing {
        coordinates: Some(Coordinates {
            latitude,
            longitude,
        }),
        ..place(number, name)
    }
}

/// A square of one degree.
pub(crate) fn area(number: u32, name: &str, west: i32, south: i32) -> ImportNeighbourhood {
    let (east, north) = (west + 1, south + 1);
    ImportNeighbourhood {
        position: format!("feature {number}"),
        source_id: format!("area:{number}"),
        name: name.to_owned(),
        slug: String::new(),
        boundary_geojson: format!(
            r#"{{"type":"Polygon","coordinates":
                [[[{west},{south}],[{east},{south}],[{east},{north}],[{west},{north}],[{west},{south}]]]}}"#
        ),
        intro_markdown: String::new(),
    }
}

pub(crate) fn listings(places: impl IntoIterator<Item = ImportListing>) -> Vec<Item> {
    places.into_iter().map(Item::Listing).collect()
}

/// The numbers of a kind's items: created, changed, unchanged, refused.
pub(crate) fn counts(report: &Report, kind: &str) -> (u32, u32, u32, u32) {
    let of = report.kinds.iter().find(|of| of.kind == kind);
    let counts = of.and_then(|of| of.counts).expect("counted");
    (
        counts.created,
        counts.changed,
        counts.unchanged,
        counts.refused,
    )
}

/// 20 places with ties in name, date and position; places with even numbers are reviewed.
pub(crate) fn tied() -> Vec<ImportListing> {
    let noon = testkit::clock::ManualClock::shared().now();
    let tied = (0..20).map(|number| {
        let day = i64::from(number / 4);
        let review = ImportReview {
            body_markdown: "x".to_owned(),
            author: "Ada".to_owned(),
            date: format!("2026-05-{:02}", day + 1),
        };
        ImportListing {
            date_published: Some(instant::to_proto(noon - TimeDelta::days(day))),
            review: (number % 2 == 0).then_some(review),
            ..place_at(
                number,
                ["Ödipus", "apple", "Zebra", "Apple", "éclair"][number as usize % 5],
                -79.0 - f64::from(number / 4),
                43.0,
            )
        }
    });
    tied.collect()
}
