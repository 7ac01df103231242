//! Readers report photos.

use chassis::error::{Code, Fault};
use photos_proto::v1::ReportPhotoRequest;
use testkit::calls;

use crate::fixture::{ADA, BOB, Fixture, PAI, page};

async fn report(fixture: &Fixture, reader: i64, id: i64, reason: &str) -> Result<(), Fault> {
    let request = ReportPhotoRequest {
        id,
        reason: reason.to_owned(),
        comment: "Look at the sign.".to_owned(),
    };
    let request = calls::reader(reader, request);
    fixture.client.clone().report_photo(request).await?;
    Ok(())
}

#[tokio::test]
async fn enough_readers_hide_a_photo_until_an_operator_has_decided() {
    let fixture = Fixture::new().await;
    let id = fixture.publish(ADA, PAI, 1).await;
    for _ in 0..3 {
        report(&fixture, BOB, id, "not-this-place")
            .await
            .expect("reported");
    }
    assert_eq!(
        fixture.list(Some(PAI), page(5)).await.photos.len(),
        1,
        "one reader"
    );
    report(&fixture, 3, id, "other").await.expect("reported");
    let hidden = fixture.list(Some(PAI), page(5)).await;
    assert!(hidden.photos.is_empty());
    assert_eq!(hidden.page.expect("a page").count, 0);
    let shown = fixture.show(id).await;
    assert_eq!(shown.suspicion, "reported");
    let reasons: Vec<_> = shown
        .reports
        .iter()
        .map(|one| one.reason.as_str())
        .collect();
    assert_eq!(reasons, ["not-this-place", "other"]);
    assert_eq!(shown.decisions.last().expect("one").act, "hidden");
    // A hidden photo cannot be reported, and the refusal does not reveal that it was reported.
    let refused = report(&fixture, 4, id, "other").await.expect_err("hidden");
    assert_eq!(refused.code, Code::NotFound);
    assert_eq!(fixture.own(ADA).await[0].reason, "");

    fixture.decide(id, None).await.expect("accepted");
    assert_eq!(fixture.list(Some(PAI), page(5)).await.photos.len(), 1);
    report(&fixture, 4, id, "offensive")
        .await
        .expect("reported");
    let again = fixture.list(Some(PAI), page(5)).await.photos.len();
    assert_eq!(again, 1, "reports that were decided about count no more");
    assert_eq!(fixture.published().await, [PAI, PAI, PAI]);
}

#[tokio::test]
async fn only_a_known_reason_and_a_published_photo_can_be_reported() {
    let fixture = Fixture::new().await;
    let id = fixture.publish(ADA, PAI, 1).await;
    for (id, reason, code) in [
        (id, "ugly", Code::Invalid),
        (id, "", Code::Invalid),
        (99, "other", Code::NotFound),
    ] {
        let refused = report(&fixture, BOB, id, reason).await;
        assert_eq!(refused.expect_err(reason).code, code, "{reason}");
    }
}
