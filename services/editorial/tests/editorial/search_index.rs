//! The search index is updated after changes of items and places, even after failures.

use chassis::{
    bus::{Bus as _, Durability, Message},
    error::{Code, Fault},
};
use cityguide_proto::{
    events::v1::{ItemsChanged, ReplayRequest},
    exchange, key,
};
use editorial_proto::v1::RebuildRequest;
use places_proto::v1::{
    ImportBestOfEntry, ImportBestOfList, ImportListing, ImportReview, ImportType,
    import_request::Item,
};
use prost::Message as _;
use testkit::{bus::Recorder, calls, until};
use uuid::Uuid;

use crate::{
    fixture::{article, event, utc, video},
    search_city::{City, kind, place, request, small_city, text},
};

/// A best-of list of one place, with a text about it.
fn patios(text: &str) -> Item {
    Item::BestOfList(ImportBestOfList {
        source_id: "test:list".to_owned(),
        slug: "patios".to_owned(),
        name: "The best patios".to_owned(),
        date_published: Some(chassis::instant::to_proto(utc("2026-01-02T12:00:00Z"))),
        entries: vec![ImportBestOfEntry {
            listing_source_id: "test:glou".to_owned(),
            text_markdown: text.to_owned(),
            ..ImportBestOfEntry::default()
        }],
        ..ImportBestOfList::default()
    })
}

/// A place with a review.
fn reviewed(place: Item, review: &str) -> Item {
    let Item::Listing(place) = place else {
        panic!("not a place: {place:?}");
    };
    Item::Listing(ImportListing {
        review: Some(ImportReview {
            body_markdown: review.to_owned(),
            author: "Ada King".to_owned(),
            date: "2026-01-02".to_owned(),
        }),
        ..place
    })
}

#[tokio::test]
async fn words_of_texts_are_found_and_not_corrected() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    let mut housing = article("Housing news", "news", 2);
    housing.body_markdown = "They were *hoisting* the beams.".to_owned();
    let mut concert = event(
        "Pier concert",
        "2027-01-01T20:00:00",
        "2027-01-01T22:00:00",
        "",
    );
    concert.body_markdown = "Bring headphones.".to_owned();
    let mut ferry = video("Night ferry");
    ferry.body_markdown = "A stoker at the furnace.".to_owned();
    city.fixture.import([housing, concert, ferry]).await;
    let glou = place("glou", "Glou Lane", "bars", -79.4);
    city.import_places([
        reviewed(glou, "The restaurateur keeps *lighthouses* in bottles."),
        patios("A trellis with fairy lights."),
    ])
    .await;
    for (query, name) in [
        ("hoisting", "Housing news"),
        ("headphones", "Pier concert"),
        ("furnace stoker", "Night ferry"),
        ("restaurateur", "Glou Lane"),
        ("trellis", "Glou Lane"),
    ] {
        city.comes_to(query, &[name]).await;
        let found = city.search(request(query)).await.expect("answers");
        assert_eq!(found.corrected, "", "{query}");
        let passage = &found.hits[0].text;
        assert!(
            passage.iter().any(|part| part.matches),
            "{query}: {passage:?}"
        );
    }
    // A new text replaces the old one.
    let glou = place("glou", "Glou Lane", "bars", -79.4);
    city.import_places([reviewed(glou, "Quiet.")]).await;
    city.comes_to("restaurateur", &[]).await;
}

#[tokio::test]
async fn nothing_written_about_a_place_of_an_age_restricted_type_is_indexed() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    let restricted = Item::Type(ImportType {
        slug: "dispensaries".to_owned(),
        name: "Dispensaries".to_owned(),
        name_singular: "Dispensary".to_owned(),
        is_age_restricted: true,
        ..ImportType::default()
    });
    let shop = place("glou", "Glou Lane", "dispensaries", -79.4);
    city.import_places([
        restricted,
        reviewed(shop, "They sell edibles."),
        patios("For edibles."),
    ])
    .await;
    city.comes_to("dispensaries", &["Glou Lane"]).await;
    assert_eq!(city.names("edibles").await, [""; 0]);
    let stored = "SELECT count(*) FROM editorial.search_documents d WHERE d::text ILIKE '%edibl%'";
    assert_eq!(city.number(stored).await, 0);
}

#[tokio::test]
async fn what_changes_is_found_as_it_is_now() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.fixture
        .import([
            article("A lighthouse named after a cat", "news", 2),
            video("Night ferry"),
        ])
        .await;
    city.comes_to("lighthouse", &["A lighthouse named after a cat"])
        .await;
    city.comes_to("ferry", &["Night ferry"]).await;
    city.comes_to("longwave", &["Longwave"]).await;
    city.import_places([place("wave", "Shortwave", "bars", -79.6)])
        .await;
    city.comes_to("shortwave", &["Shortwave"]).await;
    city.comes_to("\"longwave\"", &[]).await;
    // A search for a list's name finds the list, and below it the list's places.
    city.import_places([patios("")]).await;
    city.comes_to("patios", &["The best patios", "Glou Lane"])
        .await;
    // The type's new name applies to all its places.
    city.import_places([kind("bars", "Taverns", "Tavern")])
        .await;
    city.comes_to("taverns", &["Glou Lane", "Shortwave"]).await;
}

#[tokio::test]
async fn the_words_of_the_index_are_counted_as_they_are() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.fixture
        .import([article("Kettles and a cat", "news", 2)])
        .await;
    city.comes_to("cat", &["Kettles and a cat"]).await;
    city.import_places([place("tin", "Tin Kettle", "cafes", -79.4)])
        .await;
    until("the old name is gone", async || {
        let old = "SELECT count(*) FROM editorial.search_documents WHERE name LIKE '%Coffee%'";
        (city.number(old).await == 0).then_some(())
    })
    .await;
    let differences = "SELECT count(*) FROM
        (SELECT word, count(*) AS documents FROM editorial.search_documents, unnest(tsvector_to_array(words)) AS w (word)
         GROUP BY word) d
        FULL JOIN editorial.search_words s USING (word) WHERE d.documents IS DISTINCT FROM s.documents";
    assert_eq!(city.number(differences).await, 0);
    assert!(
        city.number("SELECT count(*) FROM editorial.search_words")
            .await
            > 10
    );
}

#[tokio::test]
async fn of_an_age_restricted_item_the_index_has_the_name_alone() {
    let city = City::start().await;
    let mut secret = article("A quiet supper", "food", 2);
    secret.is_age_restricted = true;
    secret.excerpt = "About edibles.".to_owned();
    secret.body_markdown = "Every dish is an *edible*.".to_owned();
    city.fixture
        .import([secret, article("A loud supper", "food", 3)])
        .await;
    city.comes_to("supper", &["A loud supper", "A quiet supper"])
        .await;
    assert_eq!(city.names("edible").await, [""; 0]);
    let found = city.search(request("supper")).await.expect("answers");
    let quiet = found
        .hits
        .iter()
        .find(|hit| text(&hit.name).contains("quiet"))
        .expect("found");
    assert_eq!(quiet.text, []);
    let stored = "SELECT count(*) FROM editorial.search_documents d WHERE d::text ILIKE '%edibl%'";
    assert_eq!(city.number(stored).await, 0);
}

#[tokio::test]
async fn everything_can_be_indexed_anew_while_the_index_answers() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.fixture
        .import([article("A lighthouse", "news", 2)])
        .await;
    city.comes_to("longwave", &["Longwave"]).await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    let rebuild = || RebuildRequest {};
    let refused = city
        .client
        .clone()
        .rebuild(calls::guest(rebuild()))
        .await
        .expect_err("refused");
    assert_eq!(Fault::from(refused).code, Code::Forbidden);
    // A rebuild restores lost documents and keeps existing documents.
    let mut connection = city.fixture.parts.database.connection().await;
    sqlx::query("DELETE FROM editorial.search_documents WHERE name <> 'Longwave'")
        .execute(&mut connection)
        .await
        .expect("deletes");
    let marked = city
        .client
        .clone()
        .rebuild(calls::operator(rebuild()))
        .await
        .expect("accepted");
    assert!(marked.into_inner().documents >= 2);
    assert_eq!(city.names("longwave").await, ["Longwave"]);
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    city.comes_to("kettle", &["Tin Kettle Coffee"]).await;
    assert_eq!(city.names("longwave").await, ["Longwave"]);
}

#[tokio::test]
async fn a_replay_tells_everything_and_has_nothing_indexed_anew() {
    let city = City::start().await;
    let items = ["A lighthouse", "A ferry"].map(|name| article(name, "news", 2));
    city.fixture.import(items).await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    let bus = city.fixture.parts.bus.as_ref();
    let (changed, durability) = (key::ITEMS_CHANGED, Durability::Durable);
    let published = Recorder::on(bus, "published", exchange::CATALOG, changed, durability).await;
    let turns = "SELECT last_value FROM editorial.search_turns";
    let before = city.number(turns).await;
    let request = Message {
        id: Uuid::from_u128(1),
        exchange: exchange::REPLAY.to_owned(),
        key: exchange::CATALOG.to_owned(),
        payload: ReplayRequest::default().encode_to_vec().into(),
        traceparent: None,
    };
    bus.publish(request).await.expect("replayed");
    until("both items are published", async || {
        let published = published.payloads().into_iter();
        let items = published.flat_map(|event| {
            let event = ItemsChanged::decode(event.as_slice());
            event.expect("an event").items
        });
        (items.count() >= 2).then_some(())
    })
    .await;
    assert_eq!(city.number(turns).await, before);
}

#[tokio::test]
async fn what_cannot_be_indexed_holds_nothing_up() {
    let city = City::start().await;
    let mut connection = city.fixture.parts.database.connection().await;
    sqlx::query("ALTER TABLE editorial.search_documents ADD CHECK (name <> 'Poison')")
        .execute(&mut connection)
        .await
        .expect("alters");
    let items = ["A lighthouse", "Poison", "A ferry"].map(|name| article(name, "news", 2));
    city.fixture.import(items).await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    city.comes_to("ferry", &["A ferry"]).await;
    city.comes_to("poison", &[]).await;
    let due = "SELECT count(*) FROM editorial.search_due WHERE kind = 'item'";
    assert_eq!(city.number(due).await, 0);
}

#[tokio::test]
async fn a_change_that_takes_long_holds_no_other_up() {
    let city = City::start().await;
    city.fixture
        .import([article("A lighthouse", "news", 2)])
        .await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    let mut connection = city.fixture.parts.database.connection().await;
    let mark = "INSERT INTO editorial.search_due (kind, id) SELECT 'item', id FROM editorial.items
        ON CONFLICT (kind, id) DO UPDATE SET turn = nextval('editorial.search_turns')";
    for statement in [mark, "BEGIN", mark] {
        sqlx::query(statement)
            .execute(&mut connection)
            .await
            .expect("runs");
    }
    city.fixture.import([article("A ferry", "news", 3)]).await;
    city.comes_to("ferry", &["A ferry"]).await;
    sqlx::query("COMMIT")
        .execute(&mut connection)
        .await
        .expect("commits");
    until("nothing is due", async || {
        let due = city
            .number("SELECT count(*) FROM editorial.search_due")
            .await;
        (due == 0).then_some(())
    })
    .await;
}
