//! Operators look at photos.

use chassis::error::Code;
use cityguide_proto::{
    events::v1::PhotoRefused,
    photos::v1::{DecidePhotoRequest, ListWaitingRequest, SetBanRequest},
};
use prost::Message as _;
use testkit::{calls, outbox::assert_drains, picture};

use crate::bench::{ADA, BAR, BOB, Bench, PAI, page};

#[tokio::test]
async fn a_refused_photo_says_why_to_its_uploader_alone() {
    let bench = Bench::new().await;
    let id = bench.publish(ADA, PAI, 1).await;
    bench
        .decide(id, Some("It shows another place."))
        .await
        .expect("refused");
    assert!(bench.list(Some(PAI), page(5)).await.photos.is_empty());
    let own = bench.own(ADA).await.remove(0);
    assert_eq!(own.status, "refused");
    assert_eq!(own.reason, "It shows another place.");
    assert!(own.picture.is_some(), "its uploader still sees it");
    assert_drains(&bench.parts.database, "photos").await;
    let told = bench.refusals.payloads();
    let told = PhotoRefused::decode(told[0].as_slice()).expect("an event");
    assert_eq!((told.photo_id, told.profile_id), (id, ADA));
    assert_eq!(
        (told.listing_name.as_str(), told.reason.as_str()),
        ("Pai", "It shows another place.")
    );
    let acts: Vec<_> = bench
        .show(id)
        .await
        .decisions
        .into_iter()
        .map(|one| one.act)
        .collect();
    assert_eq!(acts, ["accepted", "refused"]);
    // It can be published after all.
    bench.decide(id, None).await.expect("accepted");
    assert_eq!(bench.own(ADA).await[0].reason, "");
    assert_eq!(
        bench
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
    let bench = Bench::new().await;
    for (place, seed) in [(PAI, 1), (BAR, 2)] {
        let made = bench
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
        let set = bench.review.clone().set_ban(request).await;
        set.map(|set| set.into_inner().refused)
    };
    assert_eq!(ban(true, ADA).await.expect("banned"), 2);
    assert_eq!(ban(true, ADA).await.expect("banned"), 0);
    ban(true, 99).await.expect_err("never uploaded anything");
    let waiting = bench
        .review
        .clone()
        .list_waiting(calls::operator(ListWaitingRequest {}))
        .await;
    assert!(waiting.expect("answers").into_inner().photos.is_empty());
    let own = bench.own(ADA).await;
    assert!(
        own.iter()
            .all(|photo| photo.status == "refused" && photo.reason == "Advertising.")
    );
    let refused = bench.upload(ADA, PAI, picture::jpeg(300, 200, 3)).await;
    assert_eq!(refused.expect_err("banned").code, Code::Forbidden);
    assert!(bench.show(own[0].id).await.is_banned);
    bench
        .upload(BOB, PAI, picture::jpeg(300, 200, 3))
        .await
        .expect("another reader");
    ban(false, ADA).await.expect("allowed");
    bench
        .upload(ADA, PAI, picture::jpeg(300, 200, 3))
        .await
        .expect("allowed");
}

#[tokio::test]
async fn only_operators_decide_and_a_refusal_has_a_reason() {
    let bench = Bench::new().await;
    let id = bench.publish(ADA, PAI, 1).await;
    let request = calls::reader(
        ADA,
        DecidePhotoRequest {
            id,
            accept: true,
            reason: String::new(),
        },
    );
    let refused = bench.review.clone().decide_photo(request).await;
    assert_eq!(
        refused.expect_err("a reader").code(),
        tonic::Code::PermissionDenied
    );
    for reason in ["", " ", &"r".repeat(501)] {
        let refused = bench.decide(id, Some(reason)).await;
        assert_eq!(refused.expect_err(reason).code, Code::Invalid);
    }
    let unknown = bench.decide(99, None).await;
    assert_eq!(unknown.expect_err("no photo").code, Code::NotFound);
}
