//! The saved items of many readers, for services that send emails to them.

use bookmarks_proto::v1::{ListSavedRequest, saved_client::SavedClient};
use chassis::error::{Code, Fault};
use testkit::calls;
use vocabulary::saved::Kind;

use crate::fixture::{ADA, BOB, FAVOURITES, Fixture, summary};

async fn saved(
    fixture: &Fixture,
    kind: &str,
    readers: &[i64],
) -> Result<Vec<(i64, Vec<i64>)>, Fault> {
    let request = ListSavedRequest {
        kind: kind.to_owned(),
        reader_ids: readers.to_vec(),
    };
    let mut client = SavedClient::new(fixture.transport());
    let found = client.list_saved(calls::operator(request)).await?;
    let readers = found.into_inner().readers.into_iter();
    let mut all: Vec<_> = readers.map(|one| (one.reader_id, one.target_ids)).collect();
    all.sort();
    Ok(all)
}

#[tokio::test]
async fn each_readers_latest_things_come_first_and_what_is_not_published_any_more_is_left_out() {
    let names: Vec<_> = (1..=25).map(|number| format!("Place {number}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let fixture = Fixture::knowing(&names).await;
    for id in 1..=25 {
        fixture.create(ADA, id).await.expect("saves");
    }
    fixture.create(BOB, 3).await.expect("saves");
    fixture.hear(vec![summary(25, "Place 25", false, 9)]).await;
    let latest: Vec<_> = (5..=24).rev().collect();
    let all = saved(&fixture, FAVOURITES, &[BOB, 77, ADA]).await;
    assert_eq!(all, Ok(vec![(ADA, latest), (BOB, vec![3])]));
    let todos = saved(&fixture, Kind::Todos.name(), &[ADA, BOB]).await;
    assert_eq!(todos, Ok(Vec::new()));
}

#[tokio::test]
async fn operators_alone_ask_for_a_bounded_number_of_readers_and_a_known_kind() {
    let fixture = Fixture::new().await;
    let many: Vec<_> = (1..=101).collect();
    for (kind, readers) in [
        (FAVOURITES, &many[..]),
        ("ratings", &many[..1]),
        ("x", &many[..1]),
    ] {
        let refused = saved(&fixture, kind, readers).await.expect_err(kind);
        assert_eq!(refused.code, Code::Invalid, "{kind}");
    }
    assert_eq!(
        saved(&fixture, FAVOURITES, &many[..100]).await,
        Ok(Vec::new())
    );
    let request = ListSavedRequest {
        kind: FAVOURITES.to_owned(),
        reader_ids: vec![ADA],
    };
    let mut client = SavedClient::new(fixture.transport());
    let refused = client.list_saved(calls::reader(ADA, request)).await;
    let refused = Fault::from(refused.expect_err("a reader"));
    assert_eq!(refused.code, Code::Forbidden);
}
