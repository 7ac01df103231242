//! Changes in the report of an import.

use places_proto::v1::{ImportListing, ImportNeighbourhood, import_request::Item};

use crate::fixture::{Fixture, area, kind, place_at};

#[tokio::test]
async fn a_report_names_what_is_new_and_what_differs() {
    let fixture = Fixture::new().await;
    let input = || {
        vec![
            kind("restaurants"),
            Item::Neighbourhood(area(1, "The Annex", -80, 43)),
            Item::Listing(place_at(1, "Pai", -79.5, 43.5)),
        ]
    };
    let first = fixture.import(input()).await;
    assert_eq!(first.changes.len(), 3);
    assert!(first.changes.iter().all(|change| change.is_new));
    assert_eq!(fixture.import(input()).await.changes, []);
    let mut renamed = kind("restaurants");
    if let Item::Type(kind) = &mut renamed {
        kind.is_food = false;
    }
    let differing = fixture
        .import([
            renamed,
            Item::Neighbourhood(ImportNeighbourhood {
                name: "Annex".to_owned(),
                ..area(1, "", -80, 43)
            }),
            Item::Listing(ImportListing {
                is_closed: true,
                ..place_at(1, "Pai", -79.25, 43.25)
            }),
        ])
        .await;
    let fields: Vec<_> = differing
        .changes
        .iter()
        .map(|change| change.fields.join(", "))
        .collect();
    assert_eq!(
        fields,
        ["is_food", "name", "is_closed, latitude, longitude"]
    );
}
