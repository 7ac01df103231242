//! The service with the real services whose content it sends, and a mail server whose responses the test chooses.

use std::{
    collections::HashMap,
    num::NonZeroU16,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use bookmarks::Bookmarks;
use bookmarks_proto::v1::{CreateBookmarkRequest, bookmarks_client::BookmarksClient};
use chassis::{
    instant,
    mail::{
        self, DkimSettings, Letter, Mailer, Reply, Security, SharedMailer, SmtpMailer, Undelivered,
    },
    role::{Callees, Service},
    rpc::Transport,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{intake::v1::Finish, paging::v1::PageRequest};
use editorial::{ContactSettings, ContestSettings, Editorial};
use editorial_proto::v1::{
    Event, ImportItem, ImportRequest, Kind as ItemKind, ListItemsRequest,
    editorial_client::EditorialClient, import_item::Detail, import_request::Item as Message,
};
use newsletters::{Newsletters, Settings};
use newsletters_proto::v1::{Issue, ShowFatesRequest, ShowIssuesRequest};
use places::{Places, RatingSettings};
use places_proto::v1::{
    Coordinates, ImportListing, ImportNeighbourhood, ImportRequest as ImportPlaces, ImportType,
    ListListingsRequest, import_request::Item as Place, places_client::PlacesClient,
};
use testkit::{
    calls,
    database::TestDatabase,
    parts::{TestParts, parts_on},
    service::{TestService, nowhere},
    smtp::SmtpServer,
    until,
};
use vocabulary::newsletters::Kind;
use vocabulary::saved;

use crate::fixture::{Fixture, choice, settings};

/// A mail server that accepts every letter, except letters to addresses chosen by the test.
#[derive(Debug, Default)]
pub(crate) struct Office {
    answers: Mutex<HashMap<String, Undelivered>>,
    taken: Mutex<Vec<String>>,
}

impl Office {
    /// Makes the server respond to letters to an address with this error, or accept them again.
    pub(crate) fn answer(&self, address: &str, answer: Option<Undelivered>) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Some(answer) => answers.insert(address.to_owned(), answer),
            None => answers.remove(address),
        };
    }

    /// The letters that the server has accepted.
    pub(crate) fn taken(&self) -> Vec<String> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.clone()
    }

    /// The number of accepted letters with a subject.
    pub(crate) fn total(&self, subject: &str) -> usize {
        let subject = format!("Subject: {subject}\r\n");
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.iter().filter(|one| one.contains(&subject)).count()
    }

    /// The number of accepted letters with a subject to an address.
    pub(crate) fn count(&self, address: &str, subject: &str) -> usize {
        let (to, subject) = (
            format!("To: {address}\r\n"),
            format!("Subject: {subject}\r\n"),
        );
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = taken
            .iter()
            .filter(|one| one.contains(&to) && one.contains(&subject));
        fits.count()
    }
}

/// Returns a mailer that hands letters to this server.
pub(crate) fn mailer(server: &SmtpServer) -> Arc<SmtpMailer> {
    let settings = mail::Settings {
        from: "post@guide.test".to_owned(),
        host: server.address().ip().to_string(),
        port: server.address().port(),
        security: Security::None,
        ca: String::new(),
        user: String::new(),
        password: String::new(),
        connections: NonZeroU16::new(4).expect("positive"),
        folder: "unused".into(),
        dkim: DkimSettings::default(),
    };
    Arc::new(SmtpMailer::new(&settings).expect("valid"))
}

/// A response of the server, with these codes.
pub(crate) fn reply(code: u16, enhanced: [u8; 3]) -> Reply {
    Reply {
        code,
        enhanced,
        words: "as the test wants".to_owned(),
    }
}

#[async_trait]
impl Mailer for Office {
    async fn send(&self, letter: &Letter) -> Result<Reply, Undelivered> {
        let content = String::from_utf8_lossy(letter.content()).into_owned();
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = answers
            .iter()
            .find(|(address, _)| content.contains(&format!("To: {address}\r\n")));
        if let Some((_, answer)) = refused {
            return Err(answer.clone());
        }
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.push(content);
        Ok(reply(250, [2, 0, 0]))
    }
}

/// The fixture with its sources.
pub(crate) struct Press {
    pub(crate) fixture: Fixture,
    pub(crate) office: Arc<Office>,
    editorial: TestService,
    places: TestService,
    bookmarks: TestService,
}

impl Press {
    pub(crate) async fn new() -> Self {
        let office = Arc::new(Office::default());
        let press = Self::idle(office.clone()).await;
        let fixture = press.another().await;
        Self {
            fixture,
            office,
            ..press
        }
    }

    /// A fixture with this mailer, whose jobs do not run.
    pub(crate) async fn idle(mailer: SharedMailer) -> Self {
        let migrate = async |settings| {
            Places::SCHEMA.migrate(&settings).await?;
            Editorial::SCHEMA.migrate(&settings).await?;
            Bookmarks::SCHEMA.migrate(&settings).await?;
            Newsletters::SCHEMA.migrate(&settings).await
        };
        let parts = parts_on(TestDatabase::migrated("press", migrate).await);
        let parts = parts.with_mailer(mailer);
        // In the evening, so that the day's issue is no longer due.
        parts.clock.advance(TimeDelta::hours(10));
        let places = TestService::without_background(&parts, create_places(&parts).await);
        let editorial =
            TestService::without_background(&parts, create_editorial(&parts, &places).await);
        // This fixture does not call bookmarks.
        let owners = callees(&places, &editorial, nowhere(&parts));
        let role = Bookmarks::create(parts.shared(), (), owners).await;
        let bookmarks = TestService::without_background(&parts, role.expect("connects"));
        let callees = callees(&places, &editorial, bookmarks.transport());
        Self {
            fixture: Fixture::idle_on(parts, printing(), callees).await,
            office: Arc::default(),
            editorial,
            places,
            bookmarks,
        }
    }

    /// The fixture with the bookmarks service unavailable.
    pub(crate) async fn without_bookmarks(self) -> Self {
        let nobody = nowhere(&self.fixture.parts);
        let callees = callees(&self.places, &self.editorial, nobody);
        let fixture = Fixture::on(self.fixture.parts.clone(), printing(), callees).await;
        Self { fixture, ..self }
    }

    /// Saves an item for a reader.
    pub(crate) async fn save(&self, reader: i64, kind: saved::Kind, target_id: i64) {
        let request = CreateBookmarkRequest {
            kind: kind.name().to_owned(),
            target_id,
            ..CreateBookmarkRequest::default()
        };
        let mut client = BookmarksClient::new(self.bookmarks.transport());
        let saved = client.create_bookmark(calls::reader(reader, request));
        saved.await.expect("saves");
    }

    /// Another replica on the same database.
    pub(crate) async fn another(&self) -> Fixture {
        self.with(printing()).await
    }

    /// Replaces the service with a service with other settings.
    pub(crate) async fn replaced(self, settings: Settings) -> Self {
        let fixture = self.with(settings).await;
        Self { fixture, ..self }
    }

    /// Another replica with other settings.
    pub(crate) async fn with(&self, settings: Settings) -> Fixture {
        let bookmarks = self.bookmarks.transport();
        let callees = callees(&self.places, &self.editorial, bookmarks);
        Fixture::on(self.fixture.parts.clone(), settings, callees).await
    }

    /// Moves the clock on, or back, to an instant.
    pub(crate) fn at(&self, instant: &str) {
        let clock = &self.fixture.parts.clock;
        let wanted: DateTime<Utc> = instant.parse().expect("an instant");
        clock.advance(wanted - chassis::clock::Clock::now(clock.as_ref()));
    }

    pub(crate) async fn subscribe(&self, readers: &[(i64, &str)], kinds: &[Kind]) {
        for (id, address) in readers {
            let choices = kinds.iter().map(|kind| choice(*kind, true)).collect();
            self.fixture.change(*id, (address, true), choices).await;
        }
    }

    pub(crate) async fn article(&self, section: &str, name: &str, published: &str) {
        self.publish(ImportItem {
            section: section.to_owned(),
            ..item(ItemKind::Article, name, published)
        })
        .await;
    }

    pub(crate) async fn publish(&self, item: ImportItem) {
        let finish = Finish {
            dry_run: false,
            all_or_nothing: true,
            ..Finish::default()
        };
        let messages = [Message::Content(item), Message::Finish(finish)];
        let messages = messages.map(|item| ImportRequest { item: Some(item) });
        let mut client = EditorialClient::new(self.editorial.transport());
        let stream = calls::operator(futures::stream::iter(messages));
        let report = client.import(stream).await.expect("imports").into_inner();
        assert_eq!(report.refusals, []);
    }

    /// Publishes a place to eat.
    pub(crate) async fn place(&self, name: &str) {
        self.open(None, &[name]).await;
    }

    /// Publishes places to eat, in a new neighbourhood if a name is given.
    pub(crate) async fn open(&self, neighbourhood: Option<&str>, names: &[&str]) {
        let kind = ImportType {
            slug: "restaurants".to_owned(),
            name: "Restaurants".to_owned(),
            name_singular: "Restaurant".to_owned(),
            is_food: true,
            is_age_restricted: false,
            position: String::new(),
        };
        // A square of one degree, whose position depends on the name.
        let west = neighbourhood.map_or(0, |name| i32::try_from(name.len()).expect("a number"));
        let east = west + 1;
        let square = format!("[[[{west},0],[{east},0],[{east},1],[{west},1],[{west},0]]]");
        let area = neighbourhood.map(|name| {
            Place::Neighbourhood(ImportNeighbourhood {
                source_id: format!("test:{name}"),
                name: name.to_owned(),
                boundary_geojson: format!(r#"{{"type":"Polygon","coordinates":{square}}}"#),
                ..ImportNeighbourhood::default()
            })
        });
        let listings = names.iter().map(|name| {
            Place::Listing(ImportListing {
                source_id: format!("test:{name}"),
                name: (*name).to_owned(),
                type_slug: "restaurants".to_owned(),
                coordinates: neighbourhood.map(|_| Coordinates {
                    latitude: 0.5,
                    longitude: f64::from(west) + 0.5,
                }),
                ..ImportListing::default()
            })
        });
        let messages = [Place::Type(kind)].into_iter().chain(area);
        let messages = messages.chain(listings);
        let messages = messages.chain([Place::Finish(Finish::default())]);
        let messages = messages.map(|item| ImportPlaces { item: Some(item) });
        let messages: Vec<_> = messages.collect();
        let mut client = PlacesClient::new(self.places.transport());
        let stream = calls::operator(futures::stream::iter(messages));
        client.import(stream).await.expect("imports");
    }

    pub(crate) async fn id_of(&self, name: &str) -> i64 {
        let request = calls::guest(ListListingsRequest::default());
        let mut client = PlacesClient::new(self.places.transport());
        let found = client.list_listings(request).await.expect("answers");
        let mut places = found.into_inner().listings.into_iter();
        places.find(|place| place.name == name).expect("a place").id
    }

    pub(crate) async fn event_id(&self, name: &str) -> i64 {
        let request = calls::guest(ListItemsRequest {
            page: Some(PageRequest {
                limit: 50,
                ..PageRequest::default()
            }),
            kind: ItemKind::Event.into(),
            ..ListItemsRequest::default()
        });
        let mut client = EditorialClient::new(self.editorial.transport());
        let found = client.list_items(request).await.expect("answers");
        let mut items = found.into_inner().items.into_iter();
        items.find(|item| item.name == name).expect("an event").id
    }

    /// The issues, the latest first.
    pub(crate) async fn issues(&self) -> Vec<Issue> {
        let request = calls::operator(ShowIssuesRequest {});
        let found = self.fixture.issues.clone().show_issues(request).await;
        found.expect("answers").into_inner().issues
    }

    /// Waits until an issue has a state.
    pub(crate) async fn until(&self, kind: Kind, name: &str, state: &str) -> Issue {
        let what = format!("{} {name} is {state}", kind.name());
        let found = until(&what, async || {
            let mut issues = self.issues().await.into_iter();
            issues.find(|one| one.kind == kind.name() && one.name == name && one.state == state)
        });
        found.await
    }

    /// The outcomes of the issues for an address: `news 2026-11-21 accepted`.
    pub(crate) async fn fates(&self, address: &str) -> Vec<String> {
        let request = calls::operator(ShowFatesRequest {
            email: address.to_owned(),
        });
        let found = self.fixture.issues.clone().show_fates(request).await;
        let deliveries = found.expect("answers").into_inner().deliveries.into_iter();
        let fate = |one: newsletters_proto::v1::Delivery| {
            format!("{} {} {}", one.kind, one.name, one.fate)
        };
        deliveries.map(fate).collect()
    }
}

/// The title of the article that [`print`] publishes, which is also the subject of the issue.
pub(crate) const SUBJECT: &str = "One";

/// Publishes an article, and sets the clock to the minute at which the issue with it is due.
pub(crate) async fn print(press: &Press) {
    press.at("2026-11-21T10:00:00Z");
    press.article("news", SUBJECT, "2026-11-21T09:00:00Z").await;
    press.at("2026-11-21T11:30:00Z");
}

/// An event in the evening of a day.
pub(crate) fn event(name: &str, day: &str) -> ImportItem {
    ImportItem {
        detail: Some(Detail::Event(Event {
            // An hour ahead of the site's zone.
            zone: "America/Halifax".to_owned(),
            starts_local: format!("{day}T20:30:00"),
            ends_local: format!("{day}T23:00:00"),
            venue: "The hall".to_owned(),
            category: "music".to_owned(),
            ..Event::default()
        })),
        ..item(ItemKind::Event, name, "2026-11-01T12:00:00Z")
    }
}

/// The settings of a site that makes issues.
pub(crate) fn printing() -> Settings {
    let mut settings = settings();
    "1 Queen Street, Toronto".clone_into(&mut settings.newsletters.postal_address);
    settings
}

pub(crate) fn item(kind: ItemKind, name: &str, published: &str) -> ImportItem {
    let slug = chassis::slug::from_name(name);
    let at: DateTime<Utc> = published.parse().expect("an instant");
    ImportItem {
        source_id: format!("test:{slug}"),
        kind: kind.into(),
        slug,
        name: name.to_owned(),
        excerpt: format!("About {name}."),
        body_markdown: "Words.".to_owned(),
        published_at: Some(instant::to_proto(at)),
        ..ImportItem::default()
    }
}

fn callees(places: &TestService, editorial: &TestService, bookmarks: Transport) -> Callees {
    let callees = [
        ("places", places.transport()),
        ("editorial", editorial.transport()),
        ("bookmarks", bookmarks),
    ];
    callees.into_iter().collect()
}

async fn create_places(parts: &TestParts) -> Places {
    let ratings = RatingSettings {
        burst_votes: u32::MAX,
        burst_minutes: 60,
        burst_wait_hours: 24,
    };
    let role = Places::create(parts.shared(), ratings, Callees::default()).await;
    role.expect("connects")
}

async fn create_editorial(parts: &TestParts, places: &TestService) -> Editorial {
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
    .await;
    role.expect("connects")
}
