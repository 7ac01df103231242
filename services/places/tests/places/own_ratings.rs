//! A reader's votes as the reader sees them: on a place, in a list, in the map, and as the stamp of the last change.

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    instant,
};
use chrono::TimeDelta;
use cityguide_proto::{
    events::v1::LastUpdated,
    exchange, key,
    paging::v1::PageRequest,
    saved::v1::{GetStampsRequest, Stamp},
};
use places_proto::v1::{
    DeleteRatingRequest, GetRatingMapRequest, GetRatingRequest, ListRatingsRequest,
    ListRatingsResponse, PlaceRating, RatingMap,
};
use prost::Message;
use testkit::{calls, outbox};
use tonic::Request;

use crate::fixture::{Fixture, listings, place};

const ADA: i64 = 7;
const BOB: i64 = 8;

impl Fixture {
    async fn own(&self, request: Request<GetRatingRequest>) -> Result<PlaceRating, Fault> {
        Ok(self.ratings.clone().get_rating(request).await?.into_inner())
    }

    async fn rated(&self, reader: i64, page: PageRequest) -> Result<ListRatingsResponse, Fault> {
        let request = ListRatingsRequest { page: Some(page) };
        let mut client = self.ratings.clone();
        let answer = client.list_ratings(calls::reader(reader, request)).await?;
        Ok(answer.into_inner())
    }

    async fn map(&self, reader: i64) -> RatingMap {
        let request = calls::reader(reader, GetRatingMapRequest {});
        let answer = self.ratings.clone().get_rating_map(request).await;
        answer.expect("answers").into_inner()
    }

    async fn stamps(&self, reader: i64) -> Vec<Stamp> {
        let request = calls::reader(reader, GetStampsRequest {});
        let answer = self.ratings.clone().get_stamps(request).await;
        answer.expect("answers").into_inner().stamps
    }
}

async fn rated_three() -> (Fixture, [i64; 3]) {
    let fixture = Fixture::with_restaurants().await;
    let names = ["Pai", "Lena", "Rook"];
    let places = names.iter().zip(1..);
    fixture
        .import(listings(places.map(|(name, number)| place(number, name))))
        .await;
    let all = fixture.by_name().await;
    let ids = names.map(|name| all[name].id);
    for (id, stars) in ids.iter().zip(3..) {
        fixture.parts.clock.advance(TimeDelta::seconds(1));
        fixture.rate(ADA, *id, stars).await;
    }
    (fixture, ids)
}

#[tokio::test]
async fn everyone_sees_a_places_average_and_a_reader_their_own_vote() {
    let (fixture, [pai, ..]) = rated_three().await;
    fixture.rate(BOB, pai, 4).await;
    let request = GetRatingRequest { listing_id: pai };
    for (asked, own) in [
        (calls::guest(request), None),
        (calls::reader(ADA, request), Some(3)),
        (calls::reader(BOB, request), Some(4)),
        (calls::reader(9, request), None),
    ] {
        let found = fixture.own(asked).await.expect("a place");
        assert_eq!((found.average, found.voters), (Some(3.5), 2));
        assert_eq!(found.own.map(|vote| vote.rating), own);
    }
    let nowhere = GetRatingRequest { listing_id: 999 };
    let absent = fixture
        .own(calls::guest(nowhere))
        .await
        .expect_err("no place");
    assert_eq!(absent.code, Code::NotFound);
}

#[tokio::test]
async fn a_place_without_votes_has_no_average() {
    let fixture = Fixture::with_restaurants().await;
    fixture.import(listings([place(1, "Pai")])).await;
    let id = fixture.by_name().await["Pai"].id;
    let request = GetRatingRequest { listing_id: id };
    let found = fixture.own(calls::guest(request)).await.expect("a place");
    assert_eq!((found.average, found.voters), (None, 0));
    let kept = fixture.rate(ADA, id, 5).await.rating.expect("a vote");
    let request = calls::reader(ADA, DeleteRatingRequest { id: kept.id });
    let deleted = fixture.ratings.clone().delete_rating(request).await;
    deleted.expect("removed");
    let request = GetRatingRequest { listing_id: id };
    let found = fixture.own(calls::reader(ADA, request)).await;
    assert_eq!(found.expect("a place"), PlaceRating::default());
}

#[tokio::test]
async fn a_list_is_sorted_searched_paged_and_counted() {
    let (fixture, _) = rated_three().await;
    let names = async |page: PageRequest| {
        let listed = fixture.rated(ADA, page).await.expect("answers");
        let names = listed.ratings.into_iter().map(|rated| {
            let place = rated.listing.expect("published");
            assert_eq!(place.name, rated.listing_name);
            (place.name, rated.rating.expect("a vote").rating)
        });
        let page = listed.page.expect("a page");
        (names.collect::<Vec<_>>(), page.count, page.next_after)
    };
    let page = |ordering: &str, keywords: &str| PageRequest {
        limit: 10,
        ordering: ordering.to_owned(),
        keywords: keywords.to_owned(),
        ..PageRequest::default()
    };
    let all = ["Pai", "Lena", "Rook"]
        .map(str::to_owned)
        .into_iter()
        .zip(3..);
    let mut expected: Vec<_> = all.collect();
    assert_eq!(
        names(page("date_created", "")).await,
        (expected.clone(), 3, None)
    );
    expected.reverse();
    assert_eq!(names(page("", "")).await, (expected.clone(), 3, None));
    expected.sort();
    assert_eq!(names(page("name", "")).await, (expected.clone(), 3, None));
    assert_eq!(
        names(page("", "lén")).await,
        (vec![("Lena".to_owned(), 4)], -1, None)
    );
    let refused = fixture.rated(ADA, page("colour", "")).await;
    assert_eq!(refused.expect_err("refused").fields[0].field, "ordering");

    for ordering in ["-date_created", "name"] {
        let (whole, ..) = names(page(ordering, "")).await;
        let (mut walked, mut after) = (Vec::new(), String::new());
        for _ in 0..3 {
            let one = PageRequest {
                limit: 1,
                after,
                ..page(ordering, "")
            };
            let (found, _, next) = names(one).await;
            walked.extend(found);
            after = next.unwrap_or_default();
        }
        assert_eq!((walked, after), (whole, String::new()), "{ordering}");
    }
    let others = fixture.rated(BOB, page("", "")).await.expect("answers");
    assert_eq!(others.ratings, []);
    assert_eq!(others.page.expect("a page").count, 0);
}

#[tokio::test]
async fn each_change_moves_the_stamp_and_is_announced_and_the_map_holds_it() {
    let (fixture, [pai, ..]) = rated_three().await;
    let entries = |map: &RatingMap| -> Vec<(i64, i32)> {
        let entries = map.entries.iter();
        entries.map(|one| (one.listing_id, one.rating)).collect()
    };
    let first = fixture.rate(ADA, pai, 3).await;
    assert_eq!(first.stamp, first.previous_stamp, "nothing changed");
    fixture.parts.clock.advance(TimeDelta::seconds(1));
    let changed = fixture.rate(ADA, pai, 5).await;
    assert_eq!(changed.previous_stamp, first.stamp);
    let map = fixture.map(ADA).await;
    assert_eq!(map.as_of, changed.stamp);
    assert_eq!(entries(&map)[0], (pai, 5));
    assert_eq!(map.entries.len(), 3);

    // The stamp advances although the clock does not.
    let id = map.entries[0].id;
    let request = calls::reader(ADA, DeleteRatingRequest { id });
    let removed = fixture.ratings.clone().delete_rating(request).await;
    let removed = removed.expect("removed").into_inner();
    assert_eq!(removed.previous_stamp, changed.stamp);
    let after = removed.stamp.as_ref().and_then(instant::from_proto);
    assert!(after > changed.stamp.as_ref().and_then(instant::from_proto));
    let map = fixture.map(ADA).await;
    assert_eq!((map.as_of, map.entries.len()), (removed.stamp, 2));
    let stamps = fixture.stamps(ADA).await;
    let stamp = Stamp {
        kind: "ratings".to_owned(),
        at: removed.stamp,
        count: 2,
    };
    assert_eq!(stamps, [stamp]);
    assert_eq!(fixture.stamps(BOB).await, []);
    let none = fixture.map(BOB).await;
    assert!(none.as_of.as_ref().and_then(instant::from_proto) < Some(fixture.parts.clock.now()));

    let waiting = outbox::waiting(&fixture.parts.database, "places").await;
    let updates = waiting
        .iter()
        .filter(|event| event.exchange == exchange::LAST_UPDATES);
    let updates: Vec<_> = updates
        .map(|event| {
            assert_eq!(event.key, key::LAST_UPDATED);
            LastUpdated::decode(&event.payload[..]).expect("an event")
        })
        .collect();
    assert_eq!(updates.len(), 5);
    let last = LastUpdated {
        profile_id: ADA,
        kind: "ratings".to_owned(),
        at: removed.stamp,
    };
    assert_eq!(updates.last(), Some(&last));
}

#[tokio::test]
async fn a_guest_has_no_votes() {
    let fixture = Fixture::new().await;
    let mut client = fixture.ratings.clone();
    for refused in [
        client
            .get_stamps(calls::guest(GetStampsRequest {}))
            .await
            .map(drop),
        client
            .get_rating_map(calls::guest(GetRatingMapRequest {}))
            .await
            .map(drop),
        client
            .list_ratings(calls::guest(ListRatingsRequest::default()))
            .await
            .map(drop),
        client
            .delete_rating(calls::guest(DeleteRatingRequest { id: 1 }))
            .await
            .map(drop),
    ] {
        let fault = Fault::from(refused.expect_err("refused"));
        assert_eq!(fault.code, Code::NotAuthenticated);
    }
}
