//! Age-restricted types: only basic facts of their places are public.

use places_proto::v1::{
    GetListingRequest, GetListingsRequest, ImportListing, ImportReview, ImportType, Include,
    ListListingsRequest, ListSimilarRequest, Listing, import_request::Item,
};
use testkit::calls;

use crate::fixture::{Fixture, place};

const SECRET: &str = "Purple haze";

async fn shop(fixture: &Fixture, number: u32) -> ImportListing {
    let kind = ImportType {
        slug: "cannabis-shops".to_owned(),
        name: "Cannabis shops".to_owned(),
        name_singular: "Cannabis shop".to_owned(),
        is_age_restricted: true,
        ..ImportType::default()
    };
    fixture.import([Item::Type(kind)]).await;
    ImportListing {
        type_slug: "cannabis-shops".to_owned(),
        image_url: Some("/media/haze.svg".to_owned()),
        review: Some(ImportReview {
            body_markdown: SECRET.to_owned(),
            author: "Ada".to_owned(),
            date: "2026-05-01".to_owned(),
        }),
        ..place(number, &format!("Shop {number}"))
    }
}

fn assert_bare(place: &Listing) {
    assert!(place.image_url.is_none(), "{place:?}");
    assert!(place.r#type.as_ref().expect("a type").is_age_restricted);
}

#[tokio::test]
async fn review_and_picture_are_for_readers_of_legal_age_alone() {
    let fixture = Fixture::new().await;
    let shops = [shop(&fixture, 1).await, shop(&fixture, 2).await];
    fixture.import(shops.map(Item::Listing)).await;
    let listed = fixture.list(ListListingsRequest {
        reviewed: Some(true),
        ..ListListingsRequest::default()
    });
    let listed = listed.await.expect("answers").listings;
    assert_eq!(listed.len(), 2);
    listed.iter().for_each(assert_bare);
    let id = listed[0].id;

    let everything = [Include::Recent, Include::BestOf, Include::Similar];
    let public = fixture.detail(id, &everything).await;
    assert!(public.review.is_none());
    assert!(!format!("{public:?}").contains(SECRET));
    assert_bare(public.listing.as_ref().expect("a place"));
    assert!(public.recent.len() == 2 && public.similar.len() == 1);
    public
        .recent
        .iter()
        .chain(&public.similar)
        .for_each(assert_bare);
    let mut client = fixture.client.clone();
    let similar = client
        .list_similar(calls::guest(ListSimilarRequest { id }))
        .await;
    similar
        .expect("answers")
        .into_inner()
        .listings
        .iter()
        .for_each(assert_bare);
    let by_id = GetListingsRequest { ids: vec![id] };
    let by_id = client.get_listings(calls::guest(by_id)).await;
    by_id
        .expect("answers")
        .into_inner()
        .listings
        .iter()
        .for_each(assert_bare);

    let of_age = GetListingRequest {
        id,
        of_age: true,
        ..GetListingRequest::default()
    };
    let whole = client.get_listing(calls::guest(of_age)).await;
    let whole = whole.expect("there").into_inner();
    assert!(whole.review.expect("a review").body_html.contains(SECRET));
    assert!(whole.listing.expect("a place").image_url.is_some());
}
