//! The service under test, and items to import.

use chassis::{
    error::Fault,
    instant,
    role::{Callees, Service},
    rpc::Transport,
};
use chrono::{DateTime, Utc};
use cityguide_proto::{
    events::v1::{ItemSummary, ItemsChanged},
    intake::v1::{Finish, Report},
    paging::v1::PageRequest,
};
use editorial::{ContactSettings, ContestSettings, Editorial, Settings};
use editorial_proto::v1::{
    Contest, Event, GetItemRequest, GetItemsRequest, ImportItem, ImportRequest, Item, ItemDetail,
    Kind, ListItemsRequest, ListItemsResponse, ResolveRequest, ResolveResponse, Video,
    editorial_client::EditorialClient, import_item::Detail, import_request::Item as Message,
};
use places::{Places, RatingSettings};
use prost::Message as _;
use testkit::{
    calls,
    database::TestDatabase,
    outbox,
    parts::{TestParts, parts_on, site},
    service::TestService,
};

/// The default settings.
fn settings() -> Settings {
    Settings {
        site: site(),
        contests: ContestSettings {
            keep_entries_days: 90,
        },
        contact: ContactSettings {
            to: "The editors <editor@guide.test>".to_owned(),
        },
    }
}

/// The service; nothing runs in its background until it is started.
pub(crate) struct Fixture {
    pub(crate) parts: TestParts,
    pub(crate) client: EditorialClient<Transport>,
    /// The places service, which answers calls, but publishes nothing until it runs.
    pub(crate) places: TestService,
    pub(crate) service: TestService,
}

/// A database with the service's schema.
pub(crate) async fn database() -> TestDatabase {
    TestDatabase::migrated("editorial", async |settings| {
        Places::SCHEMA.migrate(&settings).await?;
        Editorial::SCHEMA.migrate(&settings).await
    })
    .await
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::on(parts_on(database().await)).await
    }

    /// The service on the test's own parts, which use [`database`].
    pub(crate) async fn on(parts: TestParts) -> Self {
        let ratings = RatingSettings {
            burst_votes: u32::MAX,
            burst_minutes: 60,
            burst_wait_hours: 24,
        };
        let role = Places::create(parts.shared(), ratings, Callees::default())
            .await
            .expect("connects");
        let places = TestService::without_background(&parts, role);
        let callees = Callees::from_iter([("places", places.transport())]);
        let role = Editorial::create(parts.shared(), settings(), callees)
            .await
            .expect("connects");
        let service = TestService::without_background(&parts, role);
        Self {
            client: EditorialClient::new(service.transport()),
            parts,
            places,
            service,
        }
    }

    /// A fixture with these items.
    pub(crate) async fn with(items: impl IntoIterator<Item = ImportItem>) -> Self {
        let fixture = Self::new().await;
        let report = fixture.import(items).await;
        assert_eq!(report.refusals, []);
        fixture
    }

    /// Imports items, all or nothing; returns the report.
    pub(crate) async fn import(&self, items: impl IntoIterator<Item = ImportItem>) -> Report {
        let finish = Finish {
            dry_run: false,
            all_or_nothing: true,
            ..Finish::default()
        };
        self.import_with(items, Some(finish))
            .await
            .expect("imports")
    }

    /// Sends items to an import, followed by `finish`, if given.
    pub(crate) async fn import_with(
        &self,
        items: impl IntoIterator<Item = ImportItem>,
        finish: Option<Finish>,
    ) -> Result<Report, Fault> {
        let items = items.into_iter().map(Message::Content);
        let messages: Vec<_> = items
            .chain(finish.map(Message::Finish))
            .map(|item| ImportRequest { item: Some(item) })
            .collect();
        let stream = calls::operator(futures::stream::iter(messages));
        Ok(self.client.clone().import(stream).await?.into_inner())
    }

    pub(crate) async fn list(&self, request: ListItemsRequest) -> Result<ListItemsResponse, Fault> {
        let mut client = self.client.clone();
        Ok(client.list_items(calls::guest(request)).await?.into_inner())
    }

    /// The names of a list, in its order.
    pub(crate) async fn names(&self, request: ListItemsRequest) -> Vec<String> {
        let listed = self.list(request).await.expect("answers");
        listed.items.into_iter().map(|item| item.name).collect()
    }

    pub(crate) async fn get(&self, kind: Kind, id: i64, of_age: bool) -> Result<ItemDetail, Fault> {
        let request = GetItemRequest {
            kind: kind.into(),
            id,
            of_age,
        };
        let mut client = self.client.clone();
        Ok(client.get_item(calls::guest(request)).await?.into_inner())
    }

    /// The live items of a kind among these ids, in the order of their ids.
    pub(crate) async fn among(&self, kind: Kind, ids: &[i64]) -> Result<Vec<Item>, Fault> {
        let request = GetItemsRequest {
            kind: kind.into(),
            ids: ids.to_vec(),
        };
        let mut client = self.client.clone();
        let found = client.get_items(calls::guest(request)).await?;
        let mut items = found.into_inner().items;
        items.sort_unstable_by_key(|item| item.id);
        Ok(items)
    }

    pub(crate) async fn resolve(&self, path: &str) -> Result<ResolveResponse, Fault> {
        let request = ResolveRequest {
            path: path.to_owned(),
        };
        let mut client = self.client.clone();
        Ok(client.resolve(calls::guest(request)).await?.into_inner())
    }

    /// The only item of a kind.
    pub(crate) async fn only(&self, kind: Kind) -> Item {
        let mut listed = self.list(all(kind)).await.expect("answers").items;
        assert_eq!(listed.len(), 1);
        listed.remove(0)
    }

    /// The summaries in the outbox, in the order of their writes.
    pub(crate) async fn published(&self) -> Vec<ItemSummary> {
        let waiting = outbox::waiting(&self.parts.database, "editorial").await;
        let read = |payload: &[u8]| ItemsChanged::decode(payload).expect("an event").items;
        waiting
            .iter()
            .flat_map(|event| read(&event.payload))
            .collect()
    }
}

/// Every item of a kind, in the default order.
pub(crate) fn all(kind: Kind) -> ListItemsRequest {
    ListItemsRequest {
        page: Some(page(100)),
        kind: kind.into(),
        ..ListItemsRequest::default()
    }
}

pub(crate) fn page(limit: u32) -> PageRequest {
    PageRequest {
        limit,
        ..PageRequest::default()
    }
}

pub(crate) fn utc(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn item(kind: Kind, name: &str, slug: &str) -> ImportItem {
    ImportItem {
        position: format!("{slug}.md"),
        source_id: format!("test:{slug}"),
        kind: kind.into(),
        slug: slug.to_owned(),
        name: name.to_owned(),
        published_at: Some(instant::to_proto(utc("2026-01-02T12:00:00Z"))),
        ..ImportItem::default()
    }
}

/// An article of a section, published on a day of January 2026.
pub(crate) fn article(name: &str, section: &str, day: u32) -> ImportItem {
    let slug = chassis::slug::from_name(name);
    ImportItem {
        section: section.to_owned(),
        excerpt: format!("About {name}."),
        body_markdown: format!("All of *{name}*."),
        published_at: Some(instant::to_proto(utc(&format!(
            "2026-01-{day:02}T12:00:00Z"
        )))),
        authors: vec!["Ada King".to_owned()],
        tags: vec!["Streetcars".to_owned()],
        ..item(Kind::Article, name, &slug)
    }
}

/// An event in the site's zone; `rule` is empty if it happens once.
pub(crate) fn event(name: &str, starts: &str, ends: &str, rule: &str) -> ImportItem {
    let slug = chassis::slug::from_name(name);
    ImportItem {
        detail: Some(Detail::Event(Event {
            zone: "Canada/Eastern".to_owned(),
            starts_local: starts.to_owned(),
            ends_local: ends.to_owned(),
            recurrence: rule.to_owned(),
            venue: "The hall".to_owned(),
            category: "music".to_owned(),
            neighbourhood: "the-annex".to_owned(),
            is_free: true,
            ..Event::default()
        })),
        ..item(Kind::Event, name, &slug)
    }
}

pub(crate) fn video(name: &str) -> ImportItem {
    ImportItem {
        body_markdown: "What it shows.".to_owned(),
        detail: Some(Detail::Video(Video {
            url: "https://video.example/1".to_owned(),
            duration_seconds: 90,
        })),
        ..item(Kind::Video, name, &chassis::slug::from_name(name))
    }
}

pub(crate) fn contest(name: &str, opens: &str, closes: &str) -> ImportItem {
    ImportItem {
        detail: Some(Detail::Contest(Contest {
            opens_at: Some(instant::to_proto(utc(opens))),
            closes_at: Some(instant::to_proto(utc(closes))),
            question: "Which river?".to_owned(),
            rules: "One *entry* each.".to_owned(),
            ..Contest::default()
        })),
        ..item(Kind::Contest, name, &chassis::slug::from_name(name))
    }
}

pub(crate) fn site_page(name: &str, slug: &str) -> ImportItem {
    ImportItem {
        body_markdown: "Words.".to_owned(),
        ..item(Kind::Page, name, slug)
    }
}
