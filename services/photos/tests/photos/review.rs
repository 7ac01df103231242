//! Operators review photos.

use chassis::error::Code;
use cityguide_proto::events::v1::PhotoRefused;
use photos_proto::v1::{DecidePhotoRequest, ListWaitingRequest, SetBanRequest};
use prost::Message as _;
use testkit::{calls, outbox::assert_drains, picture};

use crate::fixture::{ADA, BAR, BOB, Fixture, PAI, page};

#[tokio::test]
async fn a_refused_photo_says_why_to_its_uploader_alone() {
    let fixture = Fixture::new().await;
    let id = fixture.publish(ADA, PAI, 1).await;
    fixture
        .decide(id, Some("It shows another place."))
        .await
        .expect("refused");
    assert!(fixture.list(Some(PAI), page(5)).await.photos.is_empty());
    let own = fixture.own(ADA).await.remove(0);
    assert_eq!(own.status, "refused");
    assert_eq!(own.reason, "It shows another place.");
    assert!(own.picture.is_some(), "its uploader still sees it");
    assert_drains(&fixture.parts.database, "photos").await;
    let refused = fixture.refusals.payloads();
    let refused = PhotoRefused::decode(refused[0].as_slice()).expect("an event");
    assert_eq!((refused.photo_id, refused.profile_id), (id, ADA));
    assert_eq!(
        (refused.listing_name.as_str(), refused.reason.as_str()),
        ("Pai", "It shows another place.")
    );
    let acts: Vec<_> = fixture
        .show(id)
        .await
        .decisions
        .into_iter()
        .map(|one| one.act)
        .collect();
    assert_eq!(acts, ["accepted", "refused"]);
    // A refused photo can still be published.
    fixture.decide(id, None).await.expect("accepted");
    assert_eq!(fixture.own(ADA).await[0].reason, "");
    assert_eq!(
        fixture
            .list(Some(PAI), page(5))
            .await
            .page
            .expect("a page")
            .count,
        1
    );
}

#[tokio::test]
async fn a_banned_reader_uploads_nothing_and_what_waited_is_refused() {
    let fixture = Fixture::new().await;
    for (place, seed) in [(PAI, 1), (BAR, 2)] {
        let made = fixture
            .upload(ADA, place, picture::jpeg(300, 200, seed))
            .await;
        made.expect("uploaded");
    }
    let ban = async |is_banned, profile_id| {
        let request = calls::operator(SetBanRequest {
            profile_id,
            is_banned,
            reason: "Advertising.".to_owned(),
        });
        let set = fixture.review.clone().set_ban(request).await;
        set.map(|set| set.into_inner().refused)
    };
    assert_eq!(ban(true, ADA).await.expect("banned"), 2);
    assert_eq!(ban(true, ADA).await.expect("banned"), 0);
    ban(true, 99).await.expect_err("never uploaded anything");
    let waiting = fixture
        .review
        .clone()
        .list_waiting(calls::operator(ListWaitingRequest {}))
        .await;
    assert!(waiting.expect("answers").into_inner().photos.is_empty());
    let own = fixture.own(ADA).await;
    assert!(
        own.iter()
            .all(|photo| photo.status == "refused" && photo.reason == "Advertising.")
    );
    let refused = fixture.upload(ADA, PAI, picture::jpeg(300, 200, 3)).await;
    assert_eq!(refused.expect_err("banned").code, Code::Forbidden);
    assert!(fixture.show(own[0].id).await.is_banned);
    fixture
        .upload(BOB, PAI, picture::jpeg(300, 200, 3))
        .await
        .expect("another reader");
    ban(false, ADA).await.expect("allowed");
    fixture
        .upload(ADA, PAI, picture::jpeg(300, 200, 3))
        .await
        .expect("allowed");
}

#[tokio::test]
async fn only_operators_decide_and_a_refusal_has_a_reason() {
    let fixture = Fixture::new().await;
    let id = fixture.publish(ADA, PAI, 1).await;
    let request = calls::reader(
        ADA,
        DecidePhotoRequest {
            id,
            accept: true,
            reason: String::new(),
        },
    );
    let refused = fixture.review.clone().decide_photo(request).await;
    assert_eq!(
        refused.expect_err("a reader").code(),
        tonic::Code::PermissionDenied
    );
    for reason in ["", " ", &"r".repeat(501)] {
        let refused = fixture.decide(id, Some(reason)).await;
        assert_eq!(refused.expect_err(reason).code, Code::Invalid);
    }
    let unknown = fixture.decide(99, None).await;
    assert_eq!(unknown.expect_err("no photo").code, Code::NotFound);
}
