//! Matches of a reader's list of places with the guide's places.

use chassis::error::{Code, Fault};
use places_proto::v1::{
    Coordinates, ImportListing, MatchPlacesRequest, MatchPlacesResponse, SoughtPlace,
    import_request::Item, place_match::Certainty,
};
use testkit::calls;

use crate::fixture::{Fixture, area, kind, place, place_at};

const LONGITUDE: f64 = -79.38;
const LATITUDE: f64 = 43.65;

/// A restaurant, two restaurants of a chain, a restaurant far from its only namesake, and a restaurant without a
/// position.
async fn city() -> Fixture {
    let fixture = Fixture::new().await;
    let pai = ImportListing {
        address: Some("18 Duncan Street".to_owned()),
        dinesafe_establishment_id: Some("10".to_owned()),
        ..place_at(1, "Pai", LONGITUDE, LATITUDE)
    };
    fixture
        .import([
            kind("restaurants"),
            Item::Neighbourhood(area(1, "The Annex", -80, 43)),
            Item::Listing(pai),
            Item::Listing(place_at(2, "Gull Coffee", LONGITUDE, LATITUDE + 0.02)),
            Item::Listing(place_at(3, "Gull Coffee", LONGITUDE, LATITUDE + 0.04)),
            Item::Listing(place_at(4, "Thistle Barn", LONGITUDE, LATITUDE + 0.01)),
            Item::Listing(place(5, "Rook")),
        ])
        .await;
    fixture
}

fn sought(name: &str, address: &str, at: Option<(f64, f64)>) -> SoughtPlace {
    SoughtPlace {
        name: name.to_owned(),
        address: address.to_owned(),
        coordinates: at.map(|(latitude, longitude)| Coordinates {
            latitude,
            longitude,
        }),
        is_approximate: false,
    }
}

async fn matched(
    fixture: &Fixture,
    places: Vec<SoughtPlace>,
) -> Result<MatchPlacesResponse, Fault> {
    let request = calls::reader(1, MatchPlacesRequest { places });
    Ok(fixture
        .client
        .clone()
        .match_places(request)
        .await?
        .into_inner())
}

#[tokio::test]
async fn only_what_is_beyond_doubt_is_sure() {
    use Certainty::{Elsewhere, None as Nothing, Perhaps, Sure};
    let fixture = city().await;
    let here = Some((LATITUDE, LONGITUDE));
    let roughly = |place: SoughtPlace| SoughtPlace {
        is_approximate: true,
        ..place
    };
    let expected = [
        (
            sought(
                "PAI Restaurant",
                "18 Duncan St, Toronto, ON M5H 3G8, Canada",
                here,
            ),
            Sure,
            "Pai",
        ),
        (sought("Pai", "", here), Sure, "Pai"),
        (sought("Pai", "18 Duncan St", None), Sure, "Pai"),
        // A different name at the same address, and a different address in the same street.
        (sought("Kiin", "18 Duncan St", here), Nothing, ""),
        (
            sought(
                "Pai Northern",
                "20 Duncan St",
                Some((LATITUDE + 0.0005, LONGITUDE)),
            ),
            Perhaps,
            "Pai",
        ),
        // A name without an address may match the only place with this name; the name of a chain is ambiguous.
        (sought("thistle barn", "", None), Perhaps, "Thistle Barn"),
        (sought("Gull Coffee", "", None), Nothing, ""),
        (
            sought("Gull Coffee", "", Some((LATITUDE + 0.02, LONGITUDE))),
            Sure,
            "Gull Coffee",
        ),
        // An exact position a kilometre away is another place; an approximate position a kilometre away may be the same
        // place.
        (sought("Thistle Barn", "", here), Nothing, ""),
        (
            roughly(sought("Thistle Barn", "", here)),
            Perhaps,
            "Thistle Barn",
        ),
        (
            roughly(sought(
                "Thistle Barn",
                "",
                Some((LATITUDE + 0.09, LONGITUDE)),
            )),
            Nothing,
            "",
        ),
        (sought("Rook", "", None), Perhaps, "Rook"),
        // Another city also has a place of this name.
        (sought("Pai", "", Some((51.5, -0.12))), Elsewhere, ""),
        (
            roughly(sought("Pai", "", Some((51.5, -0.12)))),
            Elsewhere,
            "",
        ),
    ];
    let asked = expected.iter().map(|(place, ..)| place.clone()).collect();
    let answer = matched(&fixture, asked).await.expect("answers");
    assert_eq!(answer.matches.len(), expected.len());
    for (found, (place, certainty, name)) in answer.matches.iter().zip(&expected) {
        assert_eq!(found.certainty(), *certainty, "{place:?}");
        let listing = answer
            .places
            .iter()
            .find(|one| Some(one.id) == found.listing_id);
        assert_eq!(listing.map_or("", |one| &one.name), *name, "{place:?}");
    }
    let pai = answer
        .places
        .iter()
        .find(|one| one.name == "Pai")
        .expect("found");
    assert_eq!(
        (pai.type_slug.as_str(), pai.slug.as_str()),
        ("restaurants", "pai")
    );
    let area = pai.neighbourhood.as_ref().expect("a neighbourhood");
    assert_eq!(
        (area.slug.as_str(), area.name.as_str()),
        ("the-annex", "The Annex")
    );
    assert_eq!(answer.places.len(), 4, "each once");
}

#[tokio::test]
async fn lists_and_their_texts_are_bounded() {
    let fixture = city().await;
    let many = vec![sought("Nothing of this name", "", None); 2_000];
    let answer = matched(&fixture, many.clone()).await.expect("answers");
    assert_eq!((answer.matches.len(), answer.places.len()), (2_000, 0));
    let more = [many, vec![sought("Pai", "", None)]].concat();
    let long = "a".repeat(201);
    for refused in [
        more,
        vec![sought("", "18 Duncan St", None)],
        vec![sought(&long, "", None)],
        vec![sought("Pai", &long, None)],
        vec![sought("Pai", "", Some((91.0, 0.0)))],
        vec![sought("Pai", "", Some((f64::NAN, 0.0)))],
    ] {
        let fault = matched(&fixture, refused).await.expect_err("is refused");
        assert_eq!(
            (fault.code, fault.fields[0].field.as_str()),
            (Code::Invalid, "places")
        );
    }
    assert_eq!(
        matched(&fixture, Vec::new())
            .await
            .expect("answers")
            .matches,
        []
    );
}

#[tokio::test]
async fn in_an_empty_guide_nothing_is_found_and_nothing_is_elsewhere() {
    let fixture = Fixture::new().await;
    let place = sought("Pai", "", Some((51.5, -0.12)));
    let answer = matched(&fixture, vec![place]).await.expect("answers");
    assert_eq!(answer.matches[0].certainty(), Certainty::None);
}
