//! Places by id, and the object at a page's path.

use chassis::error::{Code, Fault};
use places_proto::v1::{
    FindPlacesRequest, GetListingRequest, GetListingsRequest, ImportListing, ResolveRequest,
    ResolveResponse, import_request::Item, resolve_response::Kind,
};
use testkit::calls;

use crate::fixture::{Fixture, area, kind, listings, place};

async fn resolve(fixture: &Fixture, path: &str) -> Result<ResolveResponse, Fault> {
    let request = calls::guest(ResolveRequest {
        path: path.to_owned(),
    });
    Ok(fixture.client.clone().resolve(request).await?.into_inner())
}

#[tokio::test]
async fn a_path_leads_to_a_place_a_type_or_a_neighbourhood() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import([
            Item::Listing(place(1, "Pai")),
            Item::Neighbourhood(area(1, "The Annex", -80, 43)),
        ])
        .await;
    let id = fixture.by_name().await["Pai"].id;
    for path in ["/restaurants/pai/", "/restaurants/pai"] {
        let found = resolve(&fixture, path).await.expect("found");
        assert_eq!((found.kind(), found.id), (Kind::Listing, id));
        assert_eq!(found.canonical, "/restaurants/pai/");
    }
    let found = resolve(&fixture, "/restaurants").await.expect("found");
    assert_eq!(
        (found.kind(), found.canonical.as_str()),
        (Kind::ListingType, "/restaurants/")
    );
    let found = resolve(&fixture, "/neighbourhoods/the-annex")
        .await
        .expect("found");
    assert_eq!(found.kind(), Kind::Neighbourhood);
    assert_eq!(found.canonical, "/neighbourhoods/the-annex/");
}

#[tokio::test]
async fn a_former_path_leads_to_the_place_until_another_place_has_it() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import([kind("bars"), Item::Listing(place(1, "Pai"))])
        .await;
    let id = fixture.by_name().await["Pai"].id;
    let as_a_bar = |slug: &str| {
        Item::Listing(ImportListing {
            type_slug: "bars".to_owned(),
            slug: slug.to_owned(),
            ..place(1, "Pai")
        })
    };
    fixture.import([as_a_bar("")]).await;
    fixture.import([as_a_bar("pai-bar")]).await;
    for former in ["/restaurants/pai/", "/bars/pai"] {
        let found = resolve(&fixture, former).await.expect("found");
        assert_eq!((found.id, found.has_moved), (id, true), "{former}");
        assert_eq!(found.canonical, "/bars/pai-bar/");
    }
    let found = resolve(&fixture, "/bars/pai-bar/").await.expect("found");
    assert!(!found.has_moved);
    fixture.import([Item::Listing(place(2, "Pai"))]).await;
    let found = resolve(&fixture, "/restaurants/pai/").await.expect("found");
    assert!(found.id != id && !found.has_moved);
}

#[tokio::test]
async fn places_are_found_by_slug_in_any_type_and_by_exact_name() {
    let fixture = Fixture::with_restaurants().await;
    let bar = ImportListing {
        type_slug: "bars".to_owned(),
        ..place(2, "Pai")
    };
    let places = [place(1, "Pai"), bar, place(3, "Lena"), place(4, "Beau")];
    let places = places.map(Item::Listing);
    fixture
        .import([kind("bars")].into_iter().chain(places))
        .await;
    let find = async |slugs: &[&str], names: &[&str]| {
        let request = calls::guest(FindPlacesRequest {
            slugs: slugs.iter().map(|slug| (*slug).to_owned()).collect(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        });
        let found = fixture.client.clone().find_places(request).await?;
        let mut names: Vec<_> = found.into_inner().listings.into_iter().collect();
        names.sort_by_key(|place| place.id);
        let names = names.into_iter().map(|place| place.name);
        Ok::<_, Fault>(names.collect::<Vec<_>>())
    };
    let found = find(&["pai", "nowhere"], &["Beau", "beau", "Len"]).await;
    assert_eq!(found.expect("answers"), ["Pai", "Pai", "Beau"]);
    assert_eq!(find(&[], &[]).await.expect("answers"), Vec::<String>::new());
    let refused = find(&["pai"; 600], &["Pai"; 401]).await;
    assert_eq!(refused.expect_err("too many").code, Code::Invalid);
}

#[tokio::test]
async fn a_path_that_leads_nowhere_is_not_found() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import([kind("bars"), Item::Listing(place(1, "Pai"))])
        .await;
    for path in [
        "",
        "/",
        "/cafes/",
        "/bars/pai/",
        "/restaurants/pa/",
        "/neighbourhoods/",
        "/neighbourhoods/pai/",
        "/restaurants/pai/more/",
        "/RESTAURANTS/",
        "//restaurants/",
        "/restaurants/%00/",
        "/restaurants/\0/",
    ] {
        let refusal = resolve(&fixture, path).await.expect_err("nowhere");
        assert_eq!(refusal.code, Code::NotFound, "{path:?}");
    }
}

#[tokio::test]
async fn places_are_found_by_their_ids_and_unknown_ids_are_left_out() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import(listings([place(1, "Pai"), place(2, "Lena")]))
        .await;
    let id = fixture.by_name().await["Lena"].id;
    let mut client = fixture.client.clone();
    let request = calls::guest(GetListingsRequest {
        ids: vec![id, -1, 0, i64::MAX, id],
    });
    let found = client
        .get_listings(request)
        .await
        .expect("answers")
        .into_inner()
        .listings;
    assert_eq!(
        found
            .iter()
            .map(|place| place.name.as_str())
            .collect::<Vec<_>>(),
        ["Lena"]
    );

    let request = calls::guest(GetListingRequest {
        id,
        ..Default::default()
    });
    let found = client
        .get_listing(request)
        .await
        .expect("found")
        .into_inner();
    assert_eq!(found.listing.expect("a place").name, "Lena");
    for id in [0, -1, i64::MAX, i64::MIN] {
        let answer = client
            .get_listing(calls::guest(GetListingRequest {
                id,
                ..Default::default()
            }))
            .await;
        assert_eq!(
            Fault::from(answer.expect_err("absent")).code,
            Code::NotFound
        );
    }
    let request = calls::guest(GetListingsRequest { ids: vec![id; 101] });
    let refusal: Fault = client
        .get_listings(request)
        .await
        .expect_err("refused")
        .into();
    assert_eq!(refusal.fields[0].field, "ids");
}
