//! Places that articles name and at which events happen.

use chassis::instant;
use editorial_proto::v1::{
    Event, ImportItem, Kind, ListItemsRequest, NamedPlace, import_item::Detail, item,
};
use testkit::until;

use crate::{
    fixture::{Fixture, all, article, event, site_page, utc},
    search_city::{City, small_city},
};

fn named(slug: &str, listing_id: i64) -> NamedPlace {
    NamedPlace {
        slug: slug.to_owned(),
        listing_id,
        name: format!("The {slug}"),
        path: format!("/bars/{slug}/"),
    }
}

/// An article with this text, which may name two places.
fn naming(name: &str, text: &str) -> ImportItem {
    ImportItem {
        body_markdown: text.to_owned(),
        places: vec![named("longwave", 7), named("pai", 8)],
        ..article(name, "news", 5)
    }
}

fn at(event: ImportItem, listing_id: i64) -> ImportItem {
    let Some(Detail::Event(detail)) = event.detail else {
        panic!("not an event: {event:?}");
    };
    ImportItem {
        detail: Some(Detail::Event(Event {
            listing_id: Some(listing_id),
            ..detail
        })),
        ..event
    }
}

fn of_place(kind: Kind, listing_id: i64) -> ListItemsRequest {
    ListItemsRequest {
        listing_id,
        from: Some(instant::to_proto(utc("2026-01-01T00:00:00Z"))),
        ..all(kind)
    }
}

#[tokio::test]
async fn an_article_is_listed_by_the_places_that_its_text_names() {
    let both = naming("Both", "[[place:longwave]] and [[place:pai]].");
    let one = naming("One", "At [[place:longwave|a bar]], `[[place:pai]]`.");
    let fixture = Fixture::with([both, one, naming("None", "Nowhere.")]).await;
    let names = async |id| fixture.names(of_place(Kind::Article, id)).await;
    assert_eq!(names(7).await, ["One", "Both"]);
    assert_eq!(names(8).await, ["Both"]);
    assert_eq!(names(9).await, Vec::<String>::new());
    let listed = fixture.list(of_place(Kind::Article, 8)).await;
    let listed = listed.expect("answers").items.remove(0);
    let whole = fixture.get(Kind::Article, listed.id, false).await;
    let body = whole.expect("answers").body_html;
    assert!(
        body.contains("<a href=\"/bars/pai/\" data-place=\"8\""),
        "{body}"
    );
    assert!(body.contains("<aside data-place=\"7\"></aside>"), "{body}");

    // A changed text names other places; an unchanged one keeps them.
    let changed = [
        naming("Both", "[[place:pai]] alone."),
        naming("One", "At [[place:longwave|a bar]], `[[place:pai]]`."),
    ];
    fixture.import(changed).await;
    assert_eq!(names(7).await, ["One"]);
    assert_eq!(names(8).await, ["Both"]);
}

#[tokio::test]
async fn an_article_that_names_an_unknown_place_is_refused_and_pages_name_none() {
    let fixture = Fixture::new().await;
    let report = fixture
        .import([naming("Lost", "[[place:nowhere]] and [[place:pai]]")])
        .await;
    assert!(!report.applied);
    assert!(
        report.refusals[0].reason.contains("\"nowhere\""),
        "{report:?}"
    );
    let page = ImportItem {
        body_markdown: "[[place:nowhere]]".to_owned(),
        ..site_page("Privacy", "privacy")
    };
    assert_eq!(fixture.import([page]).await.refusals, []);
}

#[tokio::test]
async fn events_are_listed_by_their_place_from_an_import_on() {
    let quiz = event("Quiz", "2026-06-01T18:00:00", "2026-06-01T23:00:00", "");
    let fixture = Fixture::with([quiz.clone()]).await;
    let names = async |id| fixture.names(of_place(Kind::Event, id)).await;
    assert_eq!(names(7).await, Vec::<String>::new());
    let report = fixture.import([at(quiz.clone(), 7)]).await;
    assert_eq!(report.changes[0].fields, ["place"]);
    assert_eq!(names(7).await, ["Quiz"]);
    let mut listed = fixture
        .list(of_place(Kind::Event, 7))
        .await
        .expect("answers");
    let listed = listed.items.remove(0);
    let Some(item::Detail::Event(detail)) = listed.detail else {
        panic!("not an event");
    };
    assert_eq!(detail.listing_id, Some(7));
    fixture.import([at(quiz, 8)]).await;
    assert_eq!(names(7).await, Vec::<String>::new());
    assert_eq!(names(8).await, ["Quiz"]);
}

#[tokio::test]
async fn articles_of_a_neighbourhood_name_one_of_its_places() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    let id = city
        .number("SELECT id FROM places.listings WHERE name = 'Longwave'")
        .await;
    let text = ImportItem {
        body_markdown: "At [[place:longwave]].".to_owned(),
        places: vec![named("longwave", id)],
        ..article("A bar", "food", 5)
    };
    let report = city
        .fixture
        .import([text, article("Rain", "news", 6)])
        .await;
    assert_eq!(report.refusals, []);
    let of_area = |area: &str| ListItemsRequest {
        neighbourhood: area.to_owned(),
        ..all(Kind::Article)
    };
    until("the places of Parkdale are known", async || {
        let names = city.fixture.names(of_area("parkdale")).await;
        (names == ["A bar"]).then_some(())
    })
    .await;
    let elsewhere = city.fixture.names(of_area("kensington-market")).await;
    assert_eq!(elsewhere, Vec::<String>::new());
}
