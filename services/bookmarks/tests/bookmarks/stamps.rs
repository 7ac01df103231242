//! Stamps: every change strictly increases the instant, and a map's instant never includes a change that the map lacks.

use chassis::clock::Clock;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::Connection;
use testkit::clock::ManualClock;

use crate::fixture::{ADA, BOB, Fixture, at};

#[tokio::test]
async fn each_change_moves_the_stamp_strictly_though_the_clock_stands_still_or_runs_back() {
    let fixture = Fixture::knowing(&["Pai", "Lena", "Rook"]).await;
    let mut changes: Vec<DateTime<Utc>> = Vec::new();
    let pai = fixture.create(ADA, 1).await.expect("kept");
    changes.push(at(pai.stamp));
    changes.push(at(fixture.create(ADA, 2).await.expect("kept").stamp));
    changes.push(fixture.delete(ADA, pai.id).await.expect("removed"));
    fixture.parts.clock.advance(TimeDelta::hours(-1));
    changes.push(at(fixture.create(ADA, 3).await.expect("kept").stamp));
    changes.push(at(fixture.create(ADA, 1).await.expect("kept").stamp));
    fixture.parts.clock.advance(TimeDelta::hours(2));
    changes.push(at(fixture.create(BOB, 1).await.expect("kept").stamp));
    let bobs = changes.pop().expect("Bob's");

    assert!(
        changes.is_sorted_by(|earlier, later| earlier < later),
        "{changes:?}"
    );
    assert_eq!(
        fixture.stamp(ADA).await,
        changes.last().map(|last| (*last, 3))
    );
    assert_eq!(fixture.stamp(BOB).await, Some((bobs, 1)));
    let expected: Vec<_> = changes
        .iter()
        .map(|at| (ADA, *at))
        .chain([(BOB, bobs)])
        .collect();
    let mut published = fixture.published().await;
    published.sort_by_key(|(reader, at)| (*reader, *at));
    assert_eq!(published, expected);
}

#[tokio::test]
async fn what_stood_already_moves_nothing() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    let first = fixture.create(ADA, 1).await.expect("kept");
    fixture.parts.clock.advance(TimeDelta::hours(1));
    let again = fixture.create(ADA, 1).await.expect("stands");
    assert!(first.created && !again.created);
    assert_eq!(
        (again.id, again.date_created, again.stamp),
        (first.id, first.date_created, first.stamp)
    );
    assert_eq!(fixture.published().await.len(), 1);
}

#[tokio::test]
async fn a_reader_who_never_kept_anything_has_no_stamp_and_an_empty_map() {
    let fixture = Fixture::new().await;
    assert_eq!(fixture.stamps(ADA).await, []);
    let (entries, as_of) = fixture.map(ADA).await;
    assert_eq!(entries, []);
    assert!(as_of < fixture.parts.clock.now());
}

#[tokio::test]
async fn a_map_is_as_of_its_readers_last_change() {
    let fixture = Fixture::knowing(&["Pai", "Lena"]).await;
    fixture.create(ADA, 1).await.expect("kept");
    let kept = fixture.create(ADA, 2).await.expect("kept");
    let (entries, as_of) = fixture.map(ADA).await;
    assert_eq!(entries.len(), 2);
    assert_eq!(as_of, at(kept.stamp));
    let removed = fixture.delete(ADA, kept.id).await.expect("removed");
    let (entries, as_of) = fixture.map(ADA).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(as_of, removed);
}

/// A change that is not yet committed when the map is read.
#[tokio::test]
async fn a_map_does_not_claim_a_change_that_is_not_committed_yet() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    let stamped = fixture.parts.clock.now();
    let mut connection = fixture.parts.database.connection().await;
    let mut transaction = connection.begin().await.expect("begins");
    for statement in [
        "INSERT INTO bookmarks.bookmarks (profile_id, kind, target_id, created_at)
         VALUES (1, 'favourites', 1, $1)",
        "INSERT INTO bookmarks.stamps (profile_id, kind, at, count) VALUES (1, 'favourites', $1, 1)",
    ] {
        sqlx::query(statement)
            .bind(stamped)
            .execute(&mut *transaction)
            .await
            .expect("writes");
    }
    // Advances the clock by almost the maximum duration of a call.
    fixture.parts.clock.advance(TimeDelta::seconds(29));
    let (entries, as_of) = fixture.map(ADA).await;
    assert_eq!(entries, []);
    assert!(as_of < stamped, "{as_of} is not before {stamped}");
    transaction.commit().await.expect("commits");
    let (entries, as_of) = fixture.map(ADA).await;
    assert_eq!(entries.len(), 1);
    assert!(as_of >= stamped);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_map_read_among_parallel_changes_lacks_none_that_it_claims() {
    let names: Vec<String> = (0..40).map(|number| format!("Place {number}")).collect();
    let fixture = Fixture::knowing(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let creates = futures::future::join_all((1..=40).map(|listing_id| {
        let fixture = &fixture;
        async move {
            ManualClock::advance(
                &fixture.parts.clock,
                TimeDelta::milliseconds(listing_id % 3),
            );
            let kept = fixture.create(ADA, listing_id).await.expect("kept");
            (listing_id, at(kept.stamp))
        }
    }));
    let maps = futures::future::join_all((0..40).map(|_| fixture.map(ADA)));
    let (kept, maps) = tokio::join!(creates, maps);
    for (entries, as_of) in maps {
        for (listing_id, stamp) in &kept {
            let is_there = entries.iter().any(|(listing, _)| listing == listing_id);
            assert!(
                is_there || *stamp > as_of,
                "{listing_id} at {stamp} lacks as of {as_of}"
            );
        }
    }
}
