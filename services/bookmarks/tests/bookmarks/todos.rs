//! To-dos: ticked off, put back, listed and counted by their state.

use bookmarks_proto::v1::{
    BookmarkRecord, CreateBookmarkRequest, GetBookmarkMapRequest, GetCountsRequest,
    GetCountsResponse, ListBookmarksRequest, SetDoneRequest,
};
use chassis::error::{Code, Fault};
use testkit::calls;

use crate::fixture::{ADA, BOB, Fixture, at, page};

const TODOS: &str = "todos";

async fn create(fixture: &Fixture, reader: i64, target_id: i64) -> BookmarkRecord {
    let request = CreateBookmarkRequest {
        kind: TODOS.to_owned(),
        target_id,
        ..CreateBookmarkRequest::default()
    };
    let mut client = fixture.client.clone();
    let created = client.create_bookmark(calls::reader(reader, request)).await;
    created.expect("saved").into_inner()
}

async fn set_done(
    fixture: &Fixture,
    reader: i64,
    id: i64,
    is_done: bool,
) -> Result<BookmarkRecord, Fault> {
    let request = calls::reader(reader, SetDoneRequest { id, is_done });
    Ok(fixture.client.clone().set_done(request).await?.into_inner())
}

/// The targets of a list by name, and its count.
async fn listed(fixture: &Fixture, is_done: Option<bool>) -> (Vec<i64>, i64) {
    let mut page = page(10);
    "name".clone_into(&mut page.ordering);
    let request = ListBookmarksRequest {
        kind: TODOS.to_owned(),
        page: Some(page),
        is_done,
    };
    let mut client = fixture.client.clone();
    let list = client.list_bookmarks(calls::reader(ADA, request)).await;
    let list = list.expect("answers").into_inner();
    for todo in &list.bookmarks {
        assert!(is_done.is_none_or(|is_done| todo.is_done == Some(is_done)));
    }
    let targets = list.bookmarks.iter().map(|one| one.target_id).collect();
    (targets, list.page.expect("a page").count)
}

async fn counts(fixture: &Fixture) -> GetCountsResponse {
    let request = calls::reader(ADA, GetCountsRequest {});
    let counts = fixture.client.clone().get_counts(request).await;
    counts.expect("answers").into_inner()
}

#[tokio::test]
async fn a_todo_is_ticked_off_and_put_back_and_lists_follow() {
    let fixture = Fixture::knowing(&["Alma", "Bar", "Cava"]).await;
    let mut todos = Vec::new();
    for target in 1..=3 {
        let todo = create(&fixture, ADA, target).await;
        assert_eq!(todo.is_done, Some(false));
        todos.push(todo);
    }
    create(&fixture, BOB, 1).await;
    assert_eq!(listed(&fixture, Some(true)).await, (vec![], 0));

    let done = set_done(&fixture, ADA, todos[1].id, true)
        .await
        .expect("done");
    assert_eq!((done.target_id, done.is_done), (2, Some(true)));
    assert!(!done.created);
    assert!(at(done.stamp) > at(todos[2].stamp), "a change is stamped");
    assert_eq!(at(done.previous_stamp), at(todos[2].stamp));
    assert_eq!(listed(&fixture, Some(true)).await, (vec![2], 1));
    assert_eq!(listed(&fixture, Some(false)).await, (vec![1, 3], 2));
    assert_eq!(listed(&fixture, None).await, (vec![1, 2, 3], 3));
    let counted = counts(&fixture).await;
    assert_eq!((counted.saved[TODOS], counted.todos_done), (3, 1));

    let request = calls::reader(
        ADA,
        GetBookmarkMapRequest {
            kind: TODOS.to_owned(),
        },
    );
    let map = fixture.client.clone().get_bookmark_map(request).await;
    let entries = map.expect("answers").into_inner().entries;
    let states: Vec<_> = entries
        .iter()
        .map(|one| (one.target_id, one.is_done()))
        .collect();
    assert_eq!(states, [(1, false), (2, true), (3, false)]);

    set_done(&fixture, ADA, todos[1].id, false)
        .await
        .expect("put back");
    assert_eq!(listed(&fixture, Some(true)).await, (vec![], 0));
    assert_eq!(counts(&fixture).await.todos_done, 0);
}

#[tokio::test]
async fn a_todo_that_is_done_already_is_answered_unchanged_and_not_stamped() {
    let fixture = Fixture::knowing(&["Alma"]).await;
    let todo = create(&fixture, ADA, 1).await;
    let first = set_done(&fixture, ADA, todo.id, true).await.expect("done");
    let again = set_done(&fixture, ADA, todo.id, true).await.expect("done");
    assert_eq!(again.is_done, Some(true));
    assert_eq!(at(again.stamp), at(first.stamp));
    // A place that is saved again stays done.
    assert_eq!(create(&fixture, ADA, 1).await.is_done, Some(true));
}

#[tokio::test]
async fn parallel_ticks_leave_one_state_and_each_is_answered() {
    let fixture = Fixture::knowing(&["Alma"]).await;
    let todo = create(&fixture, ADA, 1).await;
    let ticks = (0..40).map(|number| set_done(&fixture, ADA, todo.id, number % 2 == 0));
    for answer in futures::future::join_all(ticks).await {
        match answer {
            Ok(record) => assert_eq!(record.id, todo.id),
            Err(fault) => assert_eq!(fault.code, Code::Conflict),
        }
    }
    let done = set_done(&fixture, ADA, todo.id, true).await.expect("done");
    assert_eq!(done.is_done, Some(true));
    assert_eq!(counts(&fixture).await.todos_done, 1);
}

#[tokio::test]
async fn only_the_owners_own_todo_is_ticked_off() {
    let fixture = Fixture::knowing(&["Alma"]).await;
    let todo = create(&fixture, ADA, 1).await;
    let favourite = fixture.create(ADA, 1).await.expect("saved");
    for (reader, id) in [(BOB, todo.id), (ADA, favourite.id), (ADA, 9_999)] {
        let refusal = set_done(&fixture, reader, id, true).await;
        assert_eq!(refusal.expect_err("no such to-do").code, Code::NotFound);
    }
    assert_eq!(counts(&fixture).await.todos_done, 0);
}
