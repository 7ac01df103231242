//! The service under test, with the places service.

use std::sync::Arc;

use chassis::{
    blobs::{self, Blobs, S3Settings},
    bus::Durability,
    entropy::{OsEntropy, uuid},
    error::Fault,
    role::{Callees, Service},
    rpc::Transport,
};
use cityguide_proto::{
    events::v1::PhotosChanged, exchange, intake::v1::Finish, key, paging::v1::PageRequest,
};
use photos::{PhotoSettings, Photos};
use photos_proto::v1::{
    CreatePhotoRequest, CreatePhotoResponse, DecidePhotoRequest, DeletePhotoRequest,
    GetPhotoRequest, ListOwnPhotosRequest, ListPhotosRequest, ListPhotosResponse, Photo,
    PositionedPhoto, ReviewedPhoto, ShowPhotoRequest, imports_client::ImportsClient,
    photos_client::PhotosClient, readers_client::ReadersClient, review_client::ReviewClient,
};
use places::{Places, RatingSettings};
use places_proto::v1::{
    ImportListing, ImportRequest, ImportType, import_request::Item, places_client::PlacesClient,
};
use prost::Message as _;
use testkit::{
    bus::Recorder,
    calls,
    database::TestDatabase,
    outbox::assert_drains,
    parts::{TestParts, parts_on},
    picture,
    service::TestService,
};
use uuid::Uuid;

pub(crate) const ADA: i64 = 1;
pub(crate) const BOB: i64 = 2;
/// The fixture's places: two open places and a closed place.
pub(crate) const PAI: i64 = 1;
pub(crate) const BAR: i64 = 2;
pub(crate) const CLOSED: i64 = 3;

/// The service with its consumers, relay and jobs.
pub(crate) struct Fixture {
    pub(crate) parts: TestParts,
    pub(crate) client: PhotosClient<Transport>,
    pub(crate) review: ReviewClient<Transport>,
    pub(crate) imports: ImportsClient<Transport>,
    pub(crate) readers: ReadersClient<Transport>,
    published: Arc<Recorder>,
    pub(crate) refusals: Arc<Recorder>,
    places: TestService,
    service: TestService,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A fixture with the test's settings.
    pub(crate) async fn with(set: impl FnOnce(&mut PhotoSettings)) -> Self {
        let fixture = Self::idle(set).await;
        fixture.service.run().await;
        fixture
    }

    /// A fixture whose jobs do not run.
    pub(crate) async fn idle(set: impl FnOnce(&mut PhotoSettings)) -> Self {
        let migrate = async |settings| {
            Places::SCHEMA.migrate(&settings).await?;
            Photos::SCHEMA.migrate(&settings).await
        };
        let parts = parts_on(TestDatabase::migrated("photos", migrate).await);
        let votes = RatingSettings {
            burst_votes: u32::MAX,
            burst_minutes: 60,
            burst_wait_hours: 24,
        };
        let role = Places::create(parts.shared(), votes, Callees::default()).await;
        let places = TestService::without_background(&parts, role.expect("connects"));
        import(&places).await;
        let bus = parts.bus.as_ref();
        let durability = Durability::Durable;
        let key = key::PHOTOS_CHANGED;
        let published = Recorder::on(bus, "published", exchange::CATALOG, key, durability).await;
        let refusals = Recorder::on(bus, "refusals", exchange::PHOTOS, "#", durability).await;
        let mut settings = settings();
        set(&mut settings);
        let callees = [("places", places.transport())].into_iter().collect();
        let role = Photos::create(parts.shared(), settings, callees).await;
        let service = TestService::without_background(&parts, role.expect("connects"));
        service.assert_ready().await;
        Self {
            client: PhotosClient::new(service.transport()),
            review: ReviewClient::new(service.transport()),
            imports: ImportsClient::new(service.transport()),
            readers: ReadersClient::new(service.transport()),
            parts,
            published,
            refusals,
            places,
            service,
        }
    }

    /// Makes the type of the fixture's places age-restricted or unrestricted.
    pub(crate) async fn restrict_type(&self, is_restricted: bool) {
        import_places(&self.places, [restaurants(is_restricted)].into_iter()).await;
    }

    /// Moves a place to an age-restricted type, or imports a new place of this type.
    pub(crate) async fn move_to_dispensaries(&self, name: &str) {
        let kind = Item::Type(ImportType {
            slug: "dispensaries".to_owned(),
            name: "Dispensaries".to_owned(),
            name_singular: "Dispensary".to_owned(),
            is_age_restricted: true,
            ..ImportType::default()
        });
        let place = Item::Listing(ImportListing {
            source_id: format!("test:{name}"),
            name: name.to_owned(),
            type_slug: "dispensaries".to_owned(),
            ..ImportListing::default()
        });
        import_places(&self.places, [kind, place].into_iter()).await;
    }

    /// Runs the background of the places service, which announces its changes.
    pub(crate) async fn run_places(&self) {
        self.places.run().await;
    }

    pub(crate) fn transport(&self) -> Transport {
        self.service.transport()
    }

    /// A further process of the service, which runs jobs.
    pub(crate) async fn another(&self) -> TestService {
        let callees = [("places", self.places.transport())].into_iter().collect();
        let role = Photos::create(self.parts.shared(), settings(), callees).await;
        TestService::start(&self.parts, role.expect("connects")).await
    }

    /// Another process of the service, for which the blob store is unavailable.
    pub(crate) async fn without_blobs(&self) -> PhotosClient<Transport> {
        // Port 1 (tcpmux) of this machine, where no server listens.
        let s3 = S3Settings {
            bucket: "pictures".to_owned(),
            endpoint: "http://127.0.0.1:1".to_owned(),
            region: "us-east-1".to_owned(),
            access_key_id: "key".to_owned(),
            secret_access_key: "secret".to_owned(),
        };
        let settings_of_blobs = blobs::Settings {
            folder: "unused".into(),
            is_shared: false,
            s3,
        };
        let away = Blobs::open(&settings_of_blobs).expect("valid");
        let parts = self.parts.clone().with_blobs(away);
        let callees = [("places", self.places.transport())].into_iter().collect();
        let role = Photos::create(parts.shared(), settings(), callees).await;
        let service = TestService::without_background(&parts, role.expect("connects"));
        PhotosClient::new(service.transport())
    }

    /// Receives a file, as the gateway does.
    pub(crate) async fn receive(&self, file: Vec<u8>) -> Uuid {
        let id = uuid(&OsEntropy);
        let content = futures::stream::iter([Ok::<_, String>(file.into())]);
        let received = self.parts.blobs.receive(id, content, u64::MAX).await;
        received.expect("received");
        id
    }

    pub(crate) async fn upload(
        &self,
        reader: i64,
        listing_id: i64,
        file: Vec<u8>,
    ) -> Result<CreatePhotoResponse, Fault> {
        self.upload_as(reader, file, new(listing_id)).await
    }

    /// Uploads a file with the given request.
    pub(crate) async fn upload_as(
        &self,
        reader: i64,
        file: Vec<u8>,
        request: CreatePhotoRequest,
    ) -> Result<CreatePhotoResponse, Fault> {
        let blob = self.receive(file).await.to_string();
        let request = CreatePhotoRequest { blob, ..request };
        let request = calls::reader(reader, request);
        Ok(self
            .client
            .clone()
            .create_photo(request)
            .await?
            .into_inner())
    }

    /// Uploads a picture and has an operator publish it; returns its id.
    pub(crate) async fn publish(&self, reader: i64, listing_id: i64, seed: u8) -> i64 {
        let made = self.upload(reader, listing_id, picture::jpeg(400, 300, seed));
        let photo = made.await.expect("uploaded").photo.expect("a photo");
        self.decide(photo.id, None).await.expect("accepted");
        // Photos that are published at the same instant are ordered by their ids alone.
        self.parts.clock.advance(chrono::TimeDelta::seconds(1));
        photo.id
    }

    /// Accepts a photo, or refuses it for a reason.
    pub(crate) async fn decide(&self, id: i64, reason: Option<&str>) -> Result<(), Fault> {
        let request = calls::operator(DecidePhotoRequest {
            id,
            accept: reason.is_none(),
            reason: reason.unwrap_or_default().to_owned(),
        });
        self.review.clone().decide_photo(request).await?;
        Ok(())
    }

    pub(crate) async fn show(&self, id: i64) -> ReviewedPhoto {
        let request = calls::operator(ShowPhotoRequest { id });
        let shown = self.review.clone().show_photo(request).await;
        shown.expect("there").into_inner()
    }

    pub(crate) async fn get(&self, reader: Option<i64>, id: i64) -> Result<PositionedPhoto, Fault> {
        let request = GetPhotoRequest { id };
        let request = match reader {
            Some(reader) => calls::reader(reader, request),
            None => calls::guest(request),
        };
        Ok(self.client.clone().get_photo(request).await?.into_inner())
    }

    pub(crate) async fn delete(&self, reader: i64, id: i64) -> Result<(), Fault> {
        let request = calls::reader(reader, DeletePhotoRequest { id });
        self.client.clone().delete_photo(request).await?;
        Ok(())
    }

    pub(crate) async fn list(&self, listing: Option<i64>, page: PageRequest) -> ListPhotosResponse {
        let request = calls::guest(ListPhotosRequest {
            page: Some(page),
            listing_id: listing,
        });
        let listed = self.client.clone().list_photos(request).await;
        listed.expect("answers").into_inner()
    }

    pub(crate) async fn own(&self, reader: i64) -> Vec<Photo> {
        let request = calls::reader(reader, ListOwnPhotosRequest::default());
        let listed = self.client.clone().list_own_photos(request).await;
        listed.expect("answers").into_inner().photos
    }

    /// The places whose photos were announced as changed, once all changes are announced.
    pub(crate) async fn published(&self) -> Vec<i64> {
        assert_drains(&self.parts.database, "photos").await;
        let payloads = self.published.payloads();
        let events = payloads
            .iter()
            .map(|payload| PhotosChanged::decode(payload.as_slice()).expect("an event"));
        events.flat_map(|event| event.listing_ids).collect()
    }
}

fn settings() -> PhotoSettings {
    PhotoSettings {
        workers: 2,
        memory_megabytes: 384,
        trusted_after: 3,
        unreviewed_per_hour: 20,
        reports_to_hide: 2,
        keep_refused_days: 90,
        keep_decisions_days: 365,
    }
}

/// An upload of a place, without its file.
pub(crate) fn new(listing_id: i64) -> CreatePhotoRequest {
    CreatePhotoRequest {
        listing_id,
        description: "The patio".to_owned(),
        full_name: "Ada King".to_owned(),
        ..CreatePhotoRequest::default()
    }
}

pub(crate) fn page(limit: u32) -> PageRequest {
    PageRequest {
        limit,
        ..PageRequest::default()
    }
}

async fn import(places: &TestService) {
    let listing = |(name, is_closed): (&str, bool)| {
        Item::Listing(ImportListing {
            source_id: format!("test:{name}"),
            name: name.to_owned(),
            type_slug: "restaurants".to_owned(),
            is_closed,
            ..ImportListing::default()
        })
    };
    let listings = [("Pai", false), ("Bar", false), ("Gone", true)].map(listing);
    import_places(places, [restaurants(false)].into_iter().chain(listings)).await;
}

/// The type of the fixture's places.
fn restaurants(is_age_restricted: bool) -> Item {
    Item::Type(ImportType {
        slug: "restaurants".to_owned(),
        name: "Restaurants".to_owned(),
        name_singular: "Restaurant".to_owned(),
        is_age_restricted,
        ..ImportType::default()
    })
}

async fn import_places(places: &TestService, items: impl Iterator<Item = Item>) {
    let items = items.chain([Item::Finish(Finish::default())]);
    let messages: Vec<_> = items
        .map(|item| ImportRequest { item: Some(item) })
        .collect();
    let stream = calls::operator(futures::stream::iter(messages));
    let mut client = PlacesClient::new(places.transport());
    client.import(stream).await.expect("imports");
}
