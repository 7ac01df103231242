//! A reader leaves: the subscriptions end, the evidence is retained without a name, and the receipt reports it.

use chassis::{
    clock::Clock as _,
    entropy::{OsEntropy, uuid},
    instant,
};
use chrono::TimeDelta;
use cityguide_proto::readers::v1::{EraseRequest, EraseResponse, ExportRequest};
use testkit::calls;
use vocabulary::newsletters::Kind;

use crate::fixture::{ADA, ADDRESS, Fixture, choice};

impl Fixture {
    pub(crate) async fn erase(&self, request: &EraseRequest) -> EraseResponse {
        let request = calls::operator(request.clone());
        let erased = self.readers.clone().erase(request).await;
        erased.expect("erases").into_inner()
    }

    pub(crate) fn erasure(&self, reader: i64, verified_email: &str) -> EraseRequest {
        EraseRequest {
            erasure_id: uuid(&OsEntropy).to_string(),
            profile_id: reader,
            verified_email: verified_email.to_owned(),
            email: ADDRESS.to_owned(),
            requested: Some(instant::to_proto(self.parts.clock.now())),
        }
    }
}

#[tokio::test]
async fn an_erasure_ends_subscriptions_and_keeps_the_evidence_and_says_both() {
    let fixture = Fixture::new().await;
    let both = vec![choice(Kind::News, true), choice(Kind::Foods, true)];
    fixture.change(ADA, (ADDRESS, true), both).await;
    fixture.ask_for_link(ADDRESS, &[Kind::Travel]).await;
    let request = fixture.erasure(ADA, ADDRESS);
    let first = fixture.erase(&request).await;
    let second = fixture.erase(&request).await;
    for erased in [&first, &second] {
        let counts: Vec<_> = erased
            .counts
            .iter()
            .map(|one| (one.kind.as_str(), one.count))
            .collect();
        assert_eq!(
            counts,
            [
                ("newsletter_links", 1),
                ("newsletter_requests", 1),
                ("newsletter_subscribers", 1),
                ("newsletter_subscriptions", 2),
            ]
        );
    }
    let kept = &second.kept[0];
    // Two consents, a request, and two withdrawals.
    assert_eq!((kept.kind.as_str(), kept.count), ("newsletter_consents", 5));
    assert!(kept.until.is_some());
    for rows in [
        "SELECT count(*) FROM newsletters.subscribers",
        "SELECT count(*) FROM newsletters.subscriptions",
        "SELECT count(*) FROM newsletters.requests",
    ] {
        assert_eq!(fixture.parts.database.number(rows).await, 0, "{rows}");
    }
    let last = fixture
        .known(ADDRESS)
        .await
        .entries
        .pop()
        .expect("an entry");
    assert_eq!(
        (last.act.as_str(), last.way.as_str()),
        ("withdrawn", "erasure")
    );
}

#[tokio::test]
async fn what_is_stored_under_the_address_later_or_without_its_owners_word_stays() {
    let fixture = Fixture::new().await;
    let unconfirmed = fixture.erasure(ADA, "");
    let token = fixture.subscribe(ADDRESS, &[Kind::News]).await;
    fixture.erase(&unconfirmed).await;
    assert_eq!(fixture.on_by_token(&token).await, ["news"]);
    let mut earlier = fixture.erasure(ADA, ADDRESS);
    let before = fixture.parts.clock.now() - TimeDelta::hours(1);
    earlier.requested = Some(instant::to_proto(before));
    fixture.erase(&earlier).await;
    assert_eq!(fixture.on_by_token(&token).await, ["news"]);
    fixture.erase(&fixture.erasure(ADA, ADDRESS)).await;
    fixture.preferences(&token).await.expect_err("erased");
}

#[tokio::test]
async fn an_export_tells_all_that_is_stored() {
    let fixture = Fixture::new().await;
    let both = vec![choice(Kind::News, true), choice(Kind::Foods, true)];
    fixture.change(ADA, (ADDRESS, true), both).await;
    fixture.ask_for_link(ADDRESS, &[Kind::Travel]).await;
    let request = calls::reader(
        ADA,
        ExportRequest {
            verified_email: ADDRESS.to_owned(),
            after: String::new(),
        },
    );
    let export = fixture.readers.clone().export(request).await;
    let export = export.expect("exports").into_inner();
    let kinds: Vec<_> = export
        .records
        .iter()
        .map(|record| record.kind.as_str())
        .collect();
    assert_eq!(
        kinds,
        [
            "newsletter_subscribers",
            "newsletter_subscriptions",
            "newsletter_subscriptions",
            "newsletter_requests",
            "newsletter_consents",
            "newsletter_consents",
            "newsletter_consents",
        ]
    );
    assert_eq!(export.next, None);
    let consent = &export.records[4].json;
    assert!(
        consent.contains("\"act\":\"given\"") && consent.contains("Top Stories"),
        "{consent}"
    );
}
