//! The projection of articles, events, contests, videos and pages, from events or from calls to their owner.

use bookmarks_proto::v1::{
    BookmarkRecord, CreateBookmarkRequest, ListBookmarksRequest, bookmarks_client::BookmarksClient,
};
use chassis::{
    error::{Code, Fault},
    rpc::Transport,
};
use cityguide_proto::{
    events::v1::{ItemSummary, ItemsChanged},
    intake::v1::Finish,
    key,
};
use editorial_proto::v1::{
    ImportItem, ImportRequest, Kind, ListItemsRequest, editorial_client::EditorialClient,
    import_request::Item as Message,
};
use prost_types::Timestamp;
use testkit::calls;

use crate::fixture::{ADA, BOB, Fixture, page};

fn summary(id: i64, name: &str, is_available: bool, version: i64) -> ItemSummary {
    ItemSummary {
        id,
        kind: "article".to_owned(),
        name: name.to_owned(),
        is_available,
        date_published: None,
        version,
    }
}

async fn hear(fixture: &Fixture, items: Vec<ItemSummary>) {
    let event = ItemsChanged { items };
    fixture.hear_of(key::ITEMS_CHANGED, &event).await;
}

async fn known(fixture: &Fixture) -> Vec<(i64, String, bool)> {
    sqlx::query_as("SELECT id, name, is_available FROM bookmarks.targets ORDER BY id")
        .fetch_all(&mut fixture.parts.database.connection().await)
        .await
        .expect("answers")
}

#[tokio::test]
async fn the_newest_that_was_heard_of_an_item_is_kept_in_whatever_order_it_comes() {
    let fixture = Fixture::new().await;
    hear(
        &fixture,
        vec![summary(1, "Tram", true, 1), summary(2, "Leaf", true, 4)],
    )
    .await;
    hear(
        &fixture,
        vec![
            summary(1, "The tram", true, 3),
            summary(2, "Leaves", true, 3),
        ],
    )
    .await;
    hear(&fixture, vec![summary(1, "Trams", true, 2)]).await;
    let tram = (1, "The tram".to_owned(), true);
    assert_eq!(known(&fixture).await, [tram, (2, "Leaf".to_owned(), true)]);
    hear(&fixture, vec![summary(2, "Leaf", false, 5)]).await;
    assert_eq!(known(&fixture).await[1], (2, "Leaf".to_owned(), false));
}

/// Imports an article into the editorial service; returns its id.
async fn import(fixture: &Fixture, name: &str) -> i64 {
    let article = ImportItem {
        position: "article.md".to_owned(),
        source_id: "test:article".to_owned(),
        kind: Kind::Article.into(),
        section: "news".to_owned(),
        slug: "article".to_owned(),
        name: name.to_owned(),
        published_at: Some(Timestamp::default()),
        ..ImportItem::default()
    };
    let messages = [
        Message::Content(article),
        Message::Finish(Finish::default()),
    ]
    .map(|item| ImportRequest { item: Some(item) });
    let mut client = EditorialClient::new(fixture.editorial.transport());
    let stream = calls::operator(futures::stream::iter(messages));
    client.import(stream).await.expect("imports");
    let request = ListItemsRequest {
        page: Some(page(10)),
        kind: Kind::Article.into(),
        ..ListItemsRequest::default()
    };
    let listed = client.list_items(calls::guest(request)).await;
    listed.expect("answers").into_inner().items[0].id
}

async fn save(
    client: &BookmarksClient<Transport>,
    reader: i64,
    kind: &str,
    target_id: i64,
) -> Result<BookmarkRecord, Fault> {
    let request = CreateBookmarkRequest {
        kind: kind.to_owned(),
        target_id,
        ..CreateBookmarkRequest::default()
    };
    let request = calls::reader(reader, request);
    Ok(client.clone().create_bookmark(request).await?.into_inner())
}

#[tokio::test]
async fn an_article_that_no_event_told_of_is_asked_for_once() {
    let fixture = Fixture::new().await;
    let id = import(&fixture, "The tram").await;
    let replica = fixture.without_owners().await;
    let refusal = save(&replica, ADA, "article-bookmarks", id).await;
    assert_eq!(refusal.expect_err("nobody to ask").code, Code::Unavailable);
    // The id belongs to an article, not to a video.
    let refusal = save(&fixture.client, ADA, "video-bookmarks", id).await;
    assert_eq!(refusal.expect_err("no video").fields[0].field, "video");

    let saved = save(&fixture.client, ADA, "article-bookmarks", id).await;
    assert!(saved.expect("saved").created);
    // The projection contains the article.
    let saved = save(&replica, BOB, "article-bookmarks", id).await;
    assert!(saved.expect("saved").created);
    let request = ListBookmarksRequest {
        kind: "article-bookmarks".to_owned(),
        page: Some(page(10)),
        is_done: None,
    };
    let list = fixture
        .client
        .clone()
        .list_bookmarks(calls::reader(ADA, request))
        .await;
    let list = list.expect("answers").into_inner().bookmarks;
    assert_eq!(list[0].target_name, "The tram");
}
