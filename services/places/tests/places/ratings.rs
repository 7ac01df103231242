//! Readers' votes, and their sum and count for each place.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Mutex,
};

use chassis::error::{Code, Fault};
use cityguide_proto::{events::v1::ListingRated, exchange, key, paging::v1::PageRequest};
use futures::{StreamExt, stream};
use places_proto::v1::{
    ChangeRatingRequest, DeleteRatingRequest, ImportListing, ListListingsRequest, Rating,
    RatingRecord,
};
use prost::Message;
use sqlx::PgConnection;
use testkit::{AT_MOST, calls, outbox};

use crate::fixture::{Fixture, listings, page, place};

async fn take_back(fixture: &Fixture, reader: i64, id: i64) -> Result<(), Fault> {
    let request = calls::reader(reader, DeleteRatingRequest { id });
    fixture.ratings.clone().delete_rating(request).await?;
    Ok(())
}

/// A place's average and votes.
async fn rating_of(fixture: &Fixture, id: i64) -> (Option<f64>, i64) {
    let listing = fixture.detail(id, &[]).await.listing.expect("a place");
    (listing.rating, listing.voters)
}

async fn change(
    fixture: &Fixture,
    reader: i64,
    id: i64,
    rating: i32,
) -> Result<RatingRecord, Fault> {
    let request = calls::reader(reader, ChangeRatingRequest { id, rating });
    let answer = fixture.ratings.clone().change_rating(request).await?;
    Ok(answer.into_inner())
}

fn vote(record: &RatingRecord) -> Rating {
    record.rating.expect("a vote")
}

async fn restaurant(fixture: &Fixture) -> i64 {
    fixture.import(listings([place(1, "Pai")])).await;
    fixture.by_name().await["Pai"].id
}

#[tokio::test]
async fn a_reader_has_one_vote_which_can_be_changed_and_taken_back() {
    let fixture = Fixture::with_restaurants().await;
    let id = restaurant(&fixture).await;
    assert_eq!(rating_of(&fixture, id).await, (None, 0));
    let first = fixture.rate(7, id, 5).await;
    assert!(first.created && vote(&first).rating == 5);
    fixture.rate(8, id, 2).await;
    let again = fixture.rate(7, id, 4).await;
    assert!(!again.created);
    let first = vote(&first);
    assert_eq!((vote(&again).id, vote(&again).rating), (first.id, 4));
    assert_eq!(vote(&again).date_created, first.date_created);
    assert_eq!(rating_of(&fixture, id).await, (Some(3.0), 2));
    let changed = change(&fixture, 7, first.id, 1).await.expect("changes");
    assert_eq!(vote(&changed).rating, 1);
    assert_eq!(rating_of(&fixture, id).await, (Some(1.5), 2));

    let strangers = change(&fixture, 8, first.id, 5)
        .await
        .expect_err("another's");
    assert_eq!(strangers.code, Code::NotFound);
    let strangers = take_back(&fixture, 8, first.id)
        .await
        .expect_err("another's");
    assert_eq!(strangers.code, Code::NotFound);
    take_back(&fixture, 7, first.id).await.expect("taken back");
    let gone = take_back(&fixture, 7, first.id).await.expect_err("gone");
    assert_eq!(gone.code, Code::NotFound);
    let gone = change(&fixture, 7, first.id, 5).await.expect_err("gone");
    assert_eq!(gone.code, Code::NotFound);
    assert_eq!(rating_of(&fixture, id).await, (Some(2.0), 1));
}

#[tokio::test]
async fn what_is_no_vote_is_refused() {
    let fixture = Fixture::with_restaurants().await;
    let id = restaurant(&fixture).await;
    for rating in [0, -1, 6, i32::MAX] {
        let refusal = fixture.try_rate(7, id, rating).await.expect_err("refused");
        assert_eq!(refusal.fields[0].field, "rating");
    }
    let absent = fixture.try_rate(7, id + 1, 3).await.expect_err("no place");
    assert_eq!(absent.fields[0].field, "listing");
    let closed = ImportListing {
        is_closed: true,
        ..place(1, "Pai")
    };
    let kept = vote(&fixture.rate(7, id, 3).await).id;
    let refusal = change(&fixture, 7, kept, 6).await.expect_err("refused");
    assert_eq!(refusal.fields[0].field, "rating");
    fixture.import(listings([closed])).await;
    let refusal = fixture.try_rate(7, id, 4).await.expect_err("closed");
    assert_eq!(refusal.fields[0].field, "listing");
    let refusal = change(&fixture, 7, kept, 4).await.expect_err("closed");
    assert_eq!(refusal.fields[0].field, "listing");
    take_back(&fixture, 7, kept).await.expect("taken back");
    assert_eq!(rating_of(&fixture, id).await, (None, 0));
}

/// Total number of operations, and number of concurrent operations.
const OPERATIONS: u64 = 2_000;
const AT_A_TIME: usize = 24;
const READERS: i64 = 20;
const PLACES: u32 = 5;

/// Accepts `NotFound`, because a concurrent operation may have deleted the vote first.
fn settled(answer: Result<RatingRecord, Fault>) -> Option<RatingRecord> {
    match answer {
        Ok(record) => Some(record),
        Err(fault) => {
            assert_eq!(fault.code, Code::NotFound, "{fault}");
            None
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sums_equal_a_recount_after_thousands_of_parallel_votes_changes_and_removals() {
    let fixture = Fixture::with_restaurants().await;
    let places = (1..=PLACES).map(|number| place(number, &format!("Place {number}")));
    fixture.import(listings(places)).await;
    let ids: Vec<i64> = fixture.by_name().await.values().map(|one| one.id).collect();
    // The last id of each reader's vote on each place, as stored on one of the reader's devices.
    let known = Mutex::new(HashMap::<(i64, i64), i64>::new());
    let operations = (0..OPERATIONS).map(|number| {
        let random = splitmix(number);
        let reader = 1 + (random % READERS.unsigned_abs()).cast_signed();
        let listing = ids[usize::try_from(random >> 8 & 0xff).expect("small") % ids.len()];
        let stars = 1 + i32::try_from(random >> 16 & 0xff).expect("small") % 5;
        let (fixture, known, key) = (&fixture, &known, (reader, listing));
        async move {
            let own = known.lock().expect("no panic").get(&key).copied();
            let rated = match (random >> 24 & 3, own) {
                (0, Some(id)) => {
                    if let Err(fault) = take_back(fixture, reader, id).await {
                        assert_eq!(fault.code, Code::NotFound, "{fault}");
                    }
                    None
                }
                (1, Some(id)) => settled(change(fixture, reader, id, stars).await),
                _ => settled(fixture.try_rate(reader, listing, stars).await),
            };
            if let Some(record) = rated {
                known
                    .lock()
                    .expect("no panic")
                    .insert(key, vote(&record).id);
            }
        }
    });
    stream::iter(operations)
        .for_each_concurrent(AT_A_TIME, |operation| operation)
        .await;
    let mut connection = fixture.parts.database.connection().await;
    for id in ids {
        let (mean, count): (Option<f64>, i64) = sqlx::query_as(
            "SELECT sum(rating)::float8 / count(*), count(*) FROM places.ratings WHERE listing_id = $1",
        )
        .bind(id)
        .fetch_one(&mut connection)
        .await
        .expect("counts");
        assert!(count > 0);
        let (average, voters) = rating_of(&fixture, id).await;
        assert_eq!((average, voters), (mean, count));
    }
    let readers: Vec<(i64, i64, i64)> = sqlx::query_as(
        "SELECT s.profile_id, s.count, (SELECT count(*) FROM places.ratings r WHERE r.profile_id = s.profile_id)
         FROM places.stamps s",
    )
    .fetch_all(&mut connection)
    .await
    .expect("counts");
    assert_eq!(readers.len(), usize::try_from(READERS).expect("small"));
    for (reader, counted, stored) in readers {
        assert_eq!(counted, stored, "reader {reader}");
    }
}

/// A pseudo-random number, identical in every run (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
fn splitmix(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[tokio::test]
async fn a_list_by_rating_weighs_few_votes_less_but_shows_the_true_mean() {
    let fixture = Fixture::with_restaurants().await;
    let places = ["One vote of five", "Twelve of four", "None", "Two of one"];
    let numbered = places.iter().zip(1..);
    fixture
        .import(listings(numbered.map(|(name, number)| place(number, name))))
        .await;
    let all = fixture.by_name().await;
    fixture.rate(1, all["One vote of five"].id, 5).await;
    for reader in 1..=12 {
        fixture.rate(reader, all["Twelve of four"].id, 4).await;
    }
    for reader in 1..=2 {
        fixture.rate(reader, all["Two of one"].id, 1).await;
    }
    let request = ListListingsRequest {
        page: Some(PageRequest {
            ordering: "-rating".to_owned(),
            ..page(10)
        }),
        ..ListListingsRequest::default()
    };
    let ranked = async || {
        let answer = fixture.list(request.clone()).await.expect("answers");
        let listings = answer.listings.into_iter();
        let ranked = listings.map(|place| (place.name, place.rating));
        ranked.collect::<Vec<_>>()
    };
    let shown: BTreeMap<_, _> = ranked().await.into_iter().collect();
    assert_eq!(shown["Twelve of four"], Some(4.0), "at once");
    rank(&fixture).await;
    let expected = [
        ("Twelve of four", Some(4.0)),
        ("One vote of five", Some(5.0)),
        ("None", None),
        ("Two of one", Some(1.0)),
    ];
    let expected = expected.map(|(name, rating)| (name.to_owned(), rating));
    assert_eq!(ranked().await, expected);
}

/// Runs the service's background work, such as ordering lists by votes.
async fn rank(fixture: &Fixture) {
    fixture.service.run().await;
    fixture.service.drain().await;
}

#[tokio::test]
async fn a_vote_does_not_wait_for_an_import_that_holds_its_place_nor_does_the_order_of_the_others()
{
    let fixture = Fixture::with_restaurants().await;
    let places = [place(1, "Held"), place(2, "Free")];
    fixture.import(listings(places)).await;
    let all = fixture.by_name().await;
    let (held, free) = (all["Held"].id, all["Free"].id);
    let mut import = fixture.parts.database.connection().await;
    let run = async |import: &mut PgConnection, statement: &'static str| {
        let done = sqlx::raw_sql(statement).execute(import).await;
        done.expect("runs");
    };
    let change = "BEGIN; UPDATE places.listings SET name = name WHERE name = 'Held'";
    run(&mut import, change).await;

    let voting = async {
        for id in [held, free] {
            fixture.rate(7, id, 5).await;
        }
        let kept = vote(&fixture.rate(8, held, 2).await).id;
        take_back(&fixture, 8, kept).await.expect("taken back");
    };
    let waited = tokio::time::timeout(AT_MOST, voting).await;
    waited.expect("no vote waits for the import");
    assert_eq!(rating_of(&fixture, held).await, (Some(5.0), 1));

    rank(&fixture).await;
    let held_is_ranked = async || {
        let count = "SELECT count(*) FROM places.listings WHERE name = 'Held' AND rating_sum = 5";
        (fixture.parts.database.number(count).await == 1).then_some(())
    };
    let count = "SELECT count(*) FROM places.listings WHERE name = 'Free' AND rating_sum = 5";
    assert_eq!(fixture.parts.database.number(count).await, 1);
    assert_eq!(held_is_ranked().await, None);
    run(&mut import, "COMMIT").await;
    fixture.service.drain().await;
    assert_eq!(held_is_ranked().await, Some(()));
}

#[tokio::test]
async fn a_vote_is_told_as_one_and_not_as_a_change_of_its_place() {
    let fixture = Fixture::with_restaurants().await;
    let id = restaurant(&fixture).await;
    let changes = fixture.published().await;
    let kept = vote(&fixture.rate(7, id, 5).await).id;
    // A repeated vote is not a change.
    fixture.rate(7, id, 5).await;
    take_back(&fixture, 7, kept).await.expect("taken back");
    assert_eq!(fixture.published().await, changes);
    let waiting = outbox::waiting(&fixture.parts.database, "places").await;
    let votes = waiting
        .iter()
        .filter(|event| event.key == key::LISTING_RATED);
    let votes = votes.map(|event| {
        assert_eq!(event.exchange, exchange::CATALOG);
        ListingRated::decode(&event.payload[..]).expect("an event")
    });
    let rated = ListingRated { listing_id: id };
    assert_eq!(votes.collect::<Vec<_>>(), [rated, rated]);
}
