//! Saving and removing favourite places.

use bookmarks_proto::v1::{
    CreateBookmarkRequest, CreateBookmarksRequest, DeleteBookmarkRequest, GetBookmarkMapRequest,
    GetCountsRequest, ListBookmarksRequest, SetDoneRequest,
};
use chassis::error::{Code, Fault};
use cityguide_proto::saved::v1::GetStampsRequest;
use testkit::calls;

use crate::fixture::{ADA, BOB, FAVOURITES, Fixture, summary};

const ROWS: &str = "SELECT count(*) FROM bookmarks.bookmarks";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_parallel_calls_keep_a_place_once() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    let answers = futures::future::join_all((0..100).map(|_| fixture.create(ADA, 1))).await;
    let answers: Vec<_> = answers
        .into_iter()
        .map(|answer| answer.expect("kept"))
        .collect();
    assert_eq!(answers.iter().filter(|answer| answer.created).count(), 1);
    assert!(answers.iter().all(|answer| answer.id == answers[0].id));
    assert!(
        answers
            .iter()
            .all(|answer| answer.date_created == answers[0].date_created)
    );
    assert!(
        answers
            .iter()
            .all(|answer| answer.stamp == answers[0].stamp)
    );
    assert_eq!(fixture.parts.database.number(ROWS).await, 1);
    assert_eq!(fixture.stamp(ADA).await.expect("a stamp").1, 1);
    assert_eq!(fixture.published().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_parallel_creates_and_deletes_the_count_is_what_stands() {
    let fixture = Fixture::knowing(&["Pai", "Lena", "Rook"]).await;
    let toggles = (0..60).map(|number| {
        let fixture = &fixture;
        async move {
            let kept = match fixture.create(ADA, number % 3 + 1).await {
                Ok(kept) => kept,
                Err(fault) => return assert_eq!(fault.code, Code::Conflict),
            };
            // Another task may already have removed the favourite.
            if number % 2 == 0
                && let Err(fault) = fixture.delete(ADA, kept.id).await
            {
                assert_eq!(fault.code, Code::NotFound);
            }
        }
    });
    futures::future::join_all(toggles).await;
    let stands = fixture.parts.database.number(ROWS).await;
    let (last, count) = fixture.stamp(ADA).await.expect("a stamp");
    assert_eq!(count, stands);
    assert_eq!(
        i64::try_from(fixture.map(ADA).await.0.len()).expect("fits"),
        stands
    );
    let published = fixture.published().await;
    assert_eq!(published.iter().map(|(_, at)| *at).max(), Some(last));
    // The difference of creates and deletes equals the stored records: each change was announced once.
    let mut instants: Vec<_> = published.iter().map(|(_, at)| *at).collect();
    instants.sort_unstable();
    instants.dedup();
    assert_eq!(
        instants.len(),
        published.len(),
        "no two changes share an instant"
    );
}

#[tokio::test]
async fn what_is_kept_is_only_its_readers() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    let kept = fixture.create(ADA, 1).await.expect("kept");
    let before = fixture.stamp(ADA).await;
    let refusal = fixture.delete(BOB, kept.id).await.expect_err("not Bob's");
    assert_eq!(refusal.code, Code::NotFound);
    assert_eq!(fixture.stamp(ADA).await, before);
    assert_eq!(fixture.stamp(BOB).await, None);
    assert_eq!(fixture.map(ADA).await.0, [(1, kept.id)]);
    assert_eq!(fixture.map(BOB).await.0, []);
    let theirs = fixture.create(BOB, 1).await.expect("kept");
    assert!(theirs.created && theirs.id != kept.id);
    assert_eq!(fixture.published().await.len(), 2);
}

#[tokio::test]
async fn what_is_gone_cannot_be_removed_again() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    let kept = fixture.create(ADA, 1).await.expect("kept");
    fixture.delete(ADA, kept.id).await.expect("removed");
    let before = fixture.stamp(ADA).await;
    for id in [kept.id, 0, -1, i64::MAX, i64::MIN] {
        assert_eq!(
            fixture.delete(ADA, id).await.expect_err("gone").code,
            Code::NotFound
        );
    }
    assert_eq!(fixture.stamp(ADA).await, before);
    assert_eq!(fixture.map(ADA).await.0, []);
    assert_eq!(fixture.published().await.len(), 2);
}

#[tokio::test]
async fn a_place_that_is_not_there_is_an_error_under_its_field() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    for listing_id in [0, -1, 4711, i64::MAX, i64::MIN] {
        let refusal = fixture.create(ADA, listing_id).await.expect_err("refused");
        assert_eq!(refusal.code, Code::Invalid);
        assert_eq!(refusal.fields.len(), 1);
        assert_eq!(refusal.fields[0].field, "listing");
    }
    assert_eq!(fixture.stamp(ADA).await, None);
    assert_eq!(fixture.parts.database.number(ROWS).await, 0);
}

#[tokio::test]
async fn an_unpublished_place_cannot_be_kept_anew_but_stays_kept_and_can_be_removed() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    let kept = fixture.create(ADA, 1).await.expect("kept");
    fixture.hear(vec![summary(1, "Pai", false, 2)]).await;
    let refusal = fixture.create(BOB, 1).await.expect_err("refused");
    assert_eq!(refusal.fields[0].field, "listing");
    let again = fixture.create(ADA, 1).await.expect("stands");
    assert!(!again.created);
    assert_eq!(again.id, kept.id);
    fixture.delete(ADA, kept.id).await.expect("removed");
    assert_eq!(
        fixture.create(ADA, 1).await.expect_err("refused").code,
        Code::Invalid
    );
}

#[tokio::test]
async fn only_a_signed_in_reader_keeps_things() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    macro_rules! refuses {
        ($($call:ident($request:expr)),* $(,)?) => {$(
            for request in [calls::guest($request), calls::operator($request)] {
                let answer = fixture.client.clone().$call(request).await;
                let refusal: Fault = answer.expect_err("refused").into();
                assert_eq!(refusal.code, Code::NotAuthenticated, stringify!($call));
            }
        )*};
    }
    refuses!(
        list_bookmarks(ListBookmarksRequest {
            kind: FAVOURITES.to_owned(),
            page: None,
            is_done: None,
        }),
        get_bookmark_map(GetBookmarkMapRequest {
            kind: FAVOURITES.to_owned(),
        }),
        create_bookmark(CreateBookmarkRequest {
            kind: FAVOURITES.to_owned(),
            target_id: 1,
            add_to_calendar: false,
        }),
        create_bookmarks(CreateBookmarksRequest {
            kind: FAVOURITES.to_owned(),
            target_ids: vec![1],
        }),
        set_done(SetDoneRequest {
            id: 1,
            is_done: true,
        }),
        get_counts(GetCountsRequest {}),
        delete_bookmark(DeleteBookmarkRequest {
            kind: FAVOURITES.to_owned(),
            id: 1,
        }),
        get_stamps(GetStampsRequest {}),
    );
    assert_eq!(fixture.parts.database.number(ROWS).await, 0);
}
