//! Several items saved in a single change.

use bookmarks_proto::v1::{CreateBookmarksRequest, CreateBookmarksResponse};
use chassis::error::{Code, Fault};
use testkit::calls;

use crate::fixture::{ADA, BOB, FAVOURITES, Fixture, at, summary};

async fn create(
    fixture: &Fixture,
    kind: &str,
    ids: &[i64],
) -> Result<CreateBookmarksResponse, Fault> {
    let request = CreateBookmarksRequest {
        kind: kind.to_owned(),
        target_ids: ids.to_vec(),
    };
    let request = calls::reader(ADA, request);
    let created = fixture.client.clone().create_bookmarks(request).await?;
    Ok(created.into_inner())
}

#[tokio::test]
async fn places_are_saved_once_with_one_stamp_and_one_event() {
    let fixture = Fixture::knowing(&["Pai", "Lena", "Rook"]).await;
    fixture.hear(vec![summary(4, "Gone", false, 1)]).await;
    let pai = fixture.create(ADA, 1).await.expect("kept");
    let saved = create(&fixture, FAVOURITES, &[3, 1, 2, 2, 4, 4_711, -1]).await;
    let saved = saved.expect("saved");
    assert_eq!((saved.created, saved.existing), (2, 1));
    assert_eq!(saved.unknown_ids, [-1, 4, 4_711]);
    assert_eq!(saved.previous_stamp, pai.stamp);
    let (mut map, _) = fixture.map(ADA).await;
    map.sort_unstable();
    let ids: Vec<_> = map.iter().map(|(target, _)| *target).collect();
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(map[0].1, pai.id, "the record that stood is left");
    assert_eq!(fixture.stamp(ADA).await, Some((at(saved.stamp), 3)));
    assert_eq!(fixture.published().await.len(), 2);

    let again = create(&fixture, FAVOURITES, &[1, 2, 3])
        .await
        .expect("saved");
    assert_eq!((again.created, again.existing), (0, 3));
    assert_eq!(
        (again.stamp, again.previous_stamp),
        (saved.stamp, saved.stamp)
    );
    assert_eq!(fixture.published().await.len(), 2);
    assert_eq!(fixture.stamp(BOB).await, None);
    // To-dos have their own records, which are not done yet.
    let todos = create(&fixture, "todos", &[1, 2]).await.expect("saved");
    assert_eq!((todos.created, todos.previous_stamp), (2, None));
    let open = "SELECT count(*) FROM bookmarks.bookmarks WHERE kind = 'todos' AND NOT is_done";
    assert_eq!(fixture.parts.database.number(open).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_calls_save_each_place_once_and_count_it_once() {
    let fixture = Fixture::knowing(&["Pai", "Lena", "Rook"]).await;
    let calls = (0..40).map(|number| {
        let fixture = &fixture;
        async move {
            if number % 4 == 0 {
                let saved = fixture.create(ADA, number / 4 % 3 + 1).await.expect("kept");
                return u32::from(saved.created);
            }
            let ids = if number % 2 == 0 {
                [1, 2, 3]
            } else {
                [3, 2, 1]
            };
            let saved = create(fixture, FAVOURITES, &ids).await.expect("saved");
            assert_eq!(saved.created + saved.existing, 3);
            saved.created
        }
    });
    let created = futures::future::join_all(calls).await;
    assert_eq!(created.iter().sum::<u32>(), 3);
    assert_eq!(fixture.stamp(ADA).await.expect("a stamp").1, 3);
    assert_eq!(fixture.map(ADA).await.0.len(), 3);
    let changes = created.iter().filter(|created| **created > 0).count();
    assert_eq!(fixture.published().await.len(), changes);
}

#[tokio::test]
async fn places_that_no_event_has_announced_are_asked_for() {
    let fixture = Fixture::new().await;
    let names: Vec<_> = (0..120).map(|number| format!("Place {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    fixture.import(&names).await;
    let wanted: Vec<_> = (1..=120).chain([999_999]).collect();
    let saved = create(&fixture, FAVOURITES, &wanted).await.expect("saved");
    assert_eq!((saved.created, saved.unknown_ids), (120, vec![999_999]));
}

#[tokio::test]
async fn a_call_names_one_to_two_thousand_targets_of_a_kind_that_is_kept_here() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    for (kind, ids, field) in [
        (FAVOURITES, vec![], "target_ids"),
        (FAVOURITES, vec![1; 2_001], "target_ids"),
        ("ratings", vec![1], "kind"),
        ("benches", vec![1], "kind"),
    ] {
        let fault = create(&fixture, kind, &ids).await.expect_err("is refused");
        assert_eq!(
            (fault.code, fault.fields[0].field.as_str()),
            (Code::Invalid, field)
        );
    }
    assert_eq!(fixture.stamp(ADA).await, None);
}
