//! All kinds of bookmarks share one mechanism, but have separate records.

use bookmarks_proto::v1::{
    BookmarkRecord, CreateBookmarkRequest, DeleteBookmarkRequest, GetBookmarkMapRequest,
    ListBookmarksRequest,
};
use chassis::error::Code;
use chassis::error::Fault;
use cityguide_proto::{
    events::v1::{ItemSummary, ItemsChanged},
    key,
};
use testkit::calls;
use vocabulary::saved::Kind;

use crate::fixture::{ADA, Fixture, page, summary};

/// The kinds of this service, and the field of a create request's body that contains the target's id.
const KINDS: [(Kind, &str); 5] = [
    (Kind::ArticleBookmarks, "object_id"),
    (Kind::EventBookmarks, "object_id"),
    (Kind::Favourites, "listing"),
    (Kind::Todos, "listing"),
    (Kind::VideoBookmarks, "video"),
];

/// A fixture with a place, an article, an event and a video, all with the same id.
async fn with_one_of_each() -> Fixture {
    let fixture = Fixture::new().await;
    fixture.hear(vec![summary(7, "listing", true, 1)]).await;
    let items = ["article", "event", "video"].map(|kind| ItemSummary {
        id: 7,
        kind: kind.to_owned(),
        name: kind.to_owned(),
        is_available: true,
        date_published: None,
        version: 1,
    });
    let items = items.into();
    fixture
        .hear_of(key::ITEMS_CHANGED, &ItemsChanged { items })
        .await;
    fixture
}

async fn create(fixture: &Fixture, kind: &str, id: i64) -> Result<BookmarkRecord, Fault> {
    let request = CreateBookmarkRequest {
        kind: kind.to_owned(),
        target_id: id,
        ..CreateBookmarkRequest::default()
    };
    let request = calls::reader(ADA, request);
    Ok(fixture
        .client
        .clone()
        .create_bookmark(request)
        .await?
        .into_inner())
}

async fn delete(fixture: &Fixture, kind: &str, id: i64) -> Result<(), Fault> {
    let kind = kind.to_owned();
    let request = calls::reader(ADA, DeleteBookmarkRequest { kind, id });
    fixture.client.clone().delete_bookmark(request).await?;
    Ok(())
}

/// The names in the list, and the entries of the map.
async fn listed(fixture: &Fixture, kind: &str) -> (Vec<String>, Vec<(i64, i64)>) {
    let request = ListBookmarksRequest {
        kind: kind.to_owned(),
        page: Some(page(10)),
        is_done: None,
    };
    let list = fixture
        .client
        .clone()
        .list_bookmarks(calls::reader(ADA, request))
        .await
        .expect("answers")
        .into_inner();
    let kind = kind.to_owned();
    let request = calls::reader(ADA, GetBookmarkMapRequest { kind });
    let map = fixture.client.clone().get_bookmark_map(request).await;
    let map = map.expect("answers").into_inner().entries;
    (
        list.bookmarks
            .into_iter()
            .map(|one| one.target_name)
            .collect(),
        map.into_iter()
            .map(|entry| (entry.target_id, entry.id))
            .collect(),
    )
}

#[tokio::test]
async fn each_kind_saves_its_own_targets_beside_the_others() {
    let fixture = with_one_of_each().await;
    let mut records = Vec::new();
    for (kind, _) in KINDS {
        let record = create(&fixture, kind.name(), 7).await.expect("saved");
        assert!(record.created, "{}", kind.name());
        records.push(record.id);
    }
    let targets = ["article", "event", "listing", "listing", "video"];
    for (((kind, _), id), target) in KINDS.into_iter().zip(&records).zip(targets) {
        let expected = (vec![target.to_owned()], vec![(7, *id)]);
        assert_eq!(
            listed(&fixture, kind.name()).await,
            expected,
            "{}",
            kind.name()
        );
    }
    let mut stamped: Vec<_> = fixture
        .stamps(ADA)
        .await
        .into_iter()
        .map(|stamp| (stamp.kind, stamp.count))
        .collect();
    stamped.sort_unstable();
    assert_eq!(stamped, KINDS.map(|(kind, _)| (kind.name().to_owned(), 1)));
}

#[tokio::test]
async fn a_record_is_removed_under_its_own_kind_alone() {
    let fixture = with_one_of_each().await;
    let favourite = create(&fixture, "favourites", 7).await.expect("saved");
    let todo = create(&fixture, "todos", 7).await.expect("saved");
    let refusal = delete(&fixture, "todos", favourite.id).await;
    assert_eq!(refusal.expect_err("a favourite").code, Code::NotFound);
    delete(&fixture, "favourites", favourite.id)
        .await
        .expect("removed");
    assert_eq!(listed(&fixture, "favourites").await.1, []);
    assert_eq!(listed(&fixture, "todos").await.1, [(7, todo.id)]);
}

#[tokio::test]
async fn an_unknown_target_is_an_error_under_the_field_of_its_kind() {
    let fixture = with_one_of_each().await;
    for (kind, field) in KINDS {
        let refusal = create(&fixture, kind.name(), 8).await.expect_err("refused");
        assert_eq!(refusal.code, Code::Invalid);
        assert_eq!(refusal.fields[0].field, field, "{}", kind.name());
    }
}

#[tokio::test]
async fn a_kind_that_is_kept_elsewhere_or_nowhere_is_refused() {
    let fixture = with_one_of_each().await;
    for kind in ["ratings", "favourite", ""] {
        let refusal = create(&fixture, kind, 7).await.expect_err("refused");
        assert_eq!(refusal.fields[0].field, "kind", "{kind:?}");
    }
    assert_eq!(fixture.stamps(ADA).await, []);
}
