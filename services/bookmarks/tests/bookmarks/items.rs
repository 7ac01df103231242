//! The projection of articles, events, contests, videos and pages, from their events.

use cityguide_proto::{
    events::v1::{ItemSummary, ItemsChanged},
    key,
};

use crate::bench::Bench;

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

async fn hear(bench: &Bench, items: Vec<ItemSummary>) {
    let event = ItemsChanged { items };
    bench.hear_of(key::ITEMS_CHANGED, &event).await;
}

async fn known(bench: &Bench) -> Vec<(i64, String, bool)> {
    sqlx::query_as("SELECT id, name, is_available FROM bookmarks.targets ORDER BY id")
        .fetch_all(&mut bench.parts.database.connection().await)
        .await
        .expect("answers")
}

#[tokio::test]
async fn the_newest_that_was_heard_of_an_item_is_kept_in_whatever_order_it_comes() {
    let bench = Bench::new().await;
    hear(
        &bench,
        vec![summary(1, "Tram", true, 1), summary(2, "Leaf", true, 4)],
    )
    .await;
    hear(
        &bench,
        vec![
            summary(1, "The tram", true, 3),
            summary(2, "Leaves", true, 3),
        ],
    )
    .await;
    hear(&bench, vec![summary(1, "Trams", true, 2)]).await;
    let tram = (1, "The tram".to_owned(), true);
    assert_eq!(known(&bench).await, [tram, (2, "Leaf".to_owned(), true)]);
    hear(&bench, vec![summary(2, "Leaf", false, 5)]).await;
    assert_eq!(known(&bench).await[1], (2, "Leaf".to_owned(), false));
}
