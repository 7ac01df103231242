//! Addresses that are made from the names of imported places.

use places_proto::v1::{ImportListing, import_request::Item};

use testkit::statements::Statements;

use crate::fixture::{Fixture, area, counts, kind, listings, place};

#[tokio::test]
async fn slugs_that_collide_are_numbered_and_stay_on_the_next_import() {
    let fixture = Fixture::with_restaurants().await;
    let asked = ImportListing {
        slug: "pai".to_owned(),
        ..place(4, "Another")
    };
    let input = || {
        listings([
            place(1, "Pai"),
            place(2, "Pai"),
            place(3, "PAI!"),
            asked.clone(),
            place(5, "Pai 2"),
        ])
    };
    fixture.import(input()).await;
    let given = ["pai", "pai-2", "pai-3", "pai-4", "pai-2-2"];
    assert_eq!(fixture.slugs().await, given);
    let again = fixture.import(input()).await;
    assert_eq!(counts(&again, "places"), (0, 0, 5, 0));
    // The slugs do not depend on the order of the input.
    let again = fixture.import(input().into_iter().rev()).await;
    assert_eq!(counts(&again, "places"), (0, 0, 5, 0));
    assert_eq!(fixture.slugs().await, given);
    // Under another type every slug is free.
    fixture.import([kind("bars")]).await;
    let bar = ImportListing {
        type_slug: "bars".to_owned(),
        ..place(6, "Pai")
    };
    fixture.import(listings([bar])).await;
    assert_eq!(fixture.slugs().await[5], "pai");
}

#[tokio::test]
async fn a_slug_that_stays_is_not_looked_for_again() {
    let fixture = Fixture::with_restaurants().await;
    let input = |phone: &str| {
        let places = (1..=30).map(|number| ImportListing {
            phone: Some(phone.to_owned()),
            ..place(number, "Pai")
        });
        listings(places)
    };
    fixture.import(input("416 1")).await;
    let given = fixture.slugs().await;
    let statements = Statements::count();
    let report = fixture.import(input("416 2")).await;
    assert_eq!(counts(&report, "places"), (0, 30, 0, 0));
    assert_eq!(statements.of("slugs.ask"), 0);
    assert_eq!(fixture.slugs().await, given);
    fixture.import(listings([place(31, "Pai")])).await;
    assert_eq!(statements.of("slugs.ask"), 3, "1, 8 and 64 slugs");
    assert_eq!(fixture.slugs().await.len(), 31);
}

#[tokio::test]
async fn long_names_that_share_their_beginning_get_slugs_of_their_own() {
    let fixture = Fixture::with_restaurants().await;
    let long = "a".repeat(100);
    let input = || {
        let places = (1..=12).map(|number| ImportListing {
            source_id: format!("test:{number:02}"),
            ..place(number, &long)
        });
        listings(places)
    };
    let report = fixture.import(input()).await;
    assert_eq!(counts(&report, "places"), (12, 0, 0, 0));
    let given = fixture.slugs().await;
    assert!(
        given
            .iter()
            .all(|slug| slug.len() <= chassis::slug::MAX_LENGTH),
        "{given:?}"
    );
    let again = fixture.import(input()).await;
    assert_eq!(counts(&again, "places"), (0, 0, 12, 0));

    let areas = || {
        (1..=3).map(|number| {
            Item::Neighbourhood(area(number, &long, i32::try_from(number).expect("fits"), 0))
        })
    };
    let report = fixture.import(areas()).await;
    assert_eq!(counts(&report, "neighbourhoods"), (3, 0, 0, 0));
    let again = fixture.import(areas()).await;
    assert_eq!(counts(&again, "neighbourhoods"), (0, 0, 3, 0));
}

#[tokio::test]
async fn a_slug_that_a_place_leaves_is_free_for_those_after_it_in_the_same_input() {
    let leaving = || ImportListing {
        slug: "other".to_owned(),
        ..place(1, "Pai")
    };
    for (input, given) in [
        ([leaving(), place(2, "Pai")], ["other", "pai"]),
        ([place(2, "Pai"), leaving()], ["other", "pai-2"]),
    ] {
        let fixture = Fixture::with_restaurants().await;
        fixture.import(listings([place(1, "Pai")])).await;
        let report = fixture.import(listings(input)).await;
        assert_eq!(counts(&report, "places"), (1, 1, 0, 0));
        assert_eq!(fixture.slugs().await, given);
    }
}

#[tokio::test]
async fn a_name_that_folds_to_nothing_has_a_slug_all_the_same() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import(listings([
            place(1, "!!!"),
            place(2, "???"),
            place(3, "Café Crêpe"),
        ]))
        .await;
    assert_eq!(fixture.slugs().await, ["place", "place-2", "cafe-crepe"]);
}
