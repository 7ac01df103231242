//! Lists of photos, positions and counts.

use chassis::error::Code;
use cityguide_proto::paging::v1::PageRequest;
use photos_proto::v1::ListOwnPhotosRequest;
use testkit::{calls, picture, until};

use crate::fixture::{ADA, BAR, BOB, Fixture, PAI, page};

#[tokio::test]
async fn a_places_photos_are_listed_the_newest_first_and_each_knows_its_position() {
    let fixture = Fixture::new().await;
    let mut ids = Vec::new();
    for seed in 0..5 {
        ids.push(fixture.publish(ADA, PAI, seed).await);
    }
    let other = fixture.publish(BOB, BAR, 9).await;
    ids.reverse();
    let first = fixture.list(Some(PAI), page(3)).await;
    let info = first.page.expect("a page");
    let listed = |photos: &[photos_proto::v1::Photo]| -> Vec<i64> {
        photos.iter().map(|photo| photo.id).collect()
    };
    assert_eq!((listed(&first.photos), info.count), (ids[..3].to_vec(), 5));
    let after = PageRequest {
        after: info.next_after.expect("there are more"),
        ..page(3)
    };
    let second = fixture.list(Some(PAI), after).await;
    assert_eq!(listed(&second.photos), ids[3..]);
    let skipping = PageRequest {
        offset: 4,
        ..page(3)
    };
    assert_eq!(
        listed(&fixture.list(Some(PAI), skipping).await.photos),
        ids[4..]
    );
    for (index, id) in (1..).zip(&ids) {
        let found = fixture.get(None, *id).await.expect("published");
        assert_eq!((found.index, found.total), (index, 5));
    }
    let all = fixture.list(None, page(2)).await;
    assert_eq!(listed(&all.photos), [other, ids[0]]);
    assert_eq!(all.page.expect("a page").count, -1);

    fixture.delete(ADA, ids[0]).await.expect("deleted");
    let left = fixture.get(None, ids[1]).await.expect("published");
    assert_eq!((left.index, left.total), (1, 4));
    assert_eq!(
        fixture.published().await,
        [PAI, PAI, PAI, PAI, PAI, BAR, PAI]
    );
}

#[tokio::test]
async fn what_is_not_published_is_for_its_uploader_alone() {
    let fixture = Fixture::new().await;
    let made = fixture.upload(ADA, PAI, picture::jpeg(300, 200, 1)).await;
    let waiting = made.expect("uploaded").photo.expect("a photo").id;
    for reader in [None, Some(BOB)] {
        let refused = fixture.get(reader, waiting).await;
        assert_eq!(refused.expect_err("not theirs").code, Code::NotFound);
    }
    let own = fixture.get(Some(ADA), waiting).await.expect("one's own");
    assert_eq!((own.index, own.total), (0, 0));
    assert!(fixture.list(Some(PAI), page(5)).await.photos.is_empty());
    let refused = fixture.delete(BOB, waiting).await;
    assert_eq!(refused.expect_err("not theirs").code, Code::NotFound);

    let published = fixture.publish(ADA, BAR, 2).await;
    assert_eq!(fixture.own(ADA).await.len(), 2);
    assert!(fixture.own(BOB).await.is_empty());
    let request = calls::reader(
        ADA,
        ListOwnPhotosRequest {
            ids: vec![published, 99],
            ..ListOwnPhotosRequest::default()
        },
    );
    let some = fixture.client.clone().list_own_photos(request).await;
    let some = some.expect("answers").into_inner();
    assert_eq!(some.photos.len(), 1);
    assert!(some.photos[0].is_own && some.photos[0].id == published);
}

#[tokio::test]
async fn photos_of_places_for_adults_are_left_out_before_pages_are_cut() {
    let fixture = Fixture::new().await;
    fixture.run_places().await;
    let mut of_pai = Vec::new();
    for seed in 0..3 {
        of_pai.push(fixture.publish(ADA, PAI, seed).await);
        fixture.publish(BOB, BAR, 10 + seed).await;
    }
    of_pai.reverse();
    let listed = async |listing: Option<i64>| {
        let mut ids = Vec::new();
        let mut request = page(2);
        let count = loop {
            let found = fixture.list(listing, request.clone()).await;
            let info = found.page.expect("a page");
            ids.extend(found.photos.iter().map(|photo| photo.id));
            let Some(after) = info.next_after else {
                break info.count;
            };
            assert_eq!(found.photos.len(), 2, "a page with a next one is full");
            request.after = after;
        };
        (ids, count)
    };
    assert_eq!(listed(None).await.0.len(), 6);
    fixture.move_to_dispensaries("Bar").await;
    until("the place's photos are left out", async || {
        (listed(None).await.0 == of_pai).then_some(())
    })
    .await;
    assert_eq!(listed(Some(BAR)).await, (Vec::new(), 0));
    assert_eq!(listed(Some(PAI)).await, (of_pai.clone(), 3));
    // The type of the fixture's places becomes age-restricted, and then unrestricted again.
    fixture.restrict_type(true).await;
    until("all photos are left out", async || {
        listed(None).await.0.is_empty().then_some(())
    })
    .await;
    fixture.restrict_type(false).await;
    until("the type's photos are listed again", async || {
        (listed(None).await.0 == of_pai).then_some(())
    })
    .await;
}
