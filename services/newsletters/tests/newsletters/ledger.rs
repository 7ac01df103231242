//! The ledger of consent: complete, in one chain, and without addresses.

use newsletters_proto::v1::{VerifyConsentsRequest, VerifyConsentsResponse};
use testkit::{calls, until};
use vocabulary::newsletters::Kind;

use crate::fixture::{ADA, ADDRESS, Fixture, choice};

impl Fixture {
    /// Verifies the chain once all entries are linked.
    pub(crate) async fn verify(&self) -> VerifyConsentsResponse {
        let unlinked = "SELECT count(*) FROM newsletters.consents WHERE position IS NULL";
        until("all entries are linked", async || {
            let waiting = self.parts.database.number(unlinked).await;
            (waiting == 0).then_some(())
        })
        .await;
        let request = calls::operator(VerifyConsentsRequest::default());
        let verified = self.consents.clone().verify_consents(request).await;
        verified.expect("answers").into_inner()
    }
}

#[tokio::test]
async fn the_evidence_says_what_was_shown_where_and_in_which_way() {
    let fixture = Fixture::new().await;
    fixture.subscribe(ADDRESS, &[Kind::Foods]).await;
    let entries = fixture.known("ADA@example.com").await.entries;
    assert_eq!(entries.len(), 2);
    for (entry, act) in entries.iter().zip(["requested", "given"]) {
        assert_eq!((entry.act.as_str(), entry.kind.as_str()), (act, "foods"));
        assert_eq!(entry.wording, Kind::Foods.consent("City Guide"));
        assert_eq!(
            (entry.page.as_str(), entry.way.as_str()),
            ("/foods/pai/", "form")
        );
        assert!(entry.at.is_some());
    }
    let addresses = "SELECT count(*) FROM newsletters.consents WHERE encode(address, 'escape') LIKE '%example%'";
    assert_eq!(fixture.parts.database.number(addresses).await, 0);
}

#[tokio::test]
async fn a_changed_a_removed_and_an_inserted_entry_break_the_chain() {
    let fixture = Fixture::new().await;
    for kind in [Kind::News, Kind::Events, Kind::Foods] {
        fixture
            .change(ADA, (ADDRESS, true), vec![choice(kind, true)])
            .await;
    }
    let whole = fixture.verify().await;
    assert_eq!(
        (whole.entries, whole.broken_at, whole.is_end),
        (3, None, true)
    );
    let mut schema = fixture.parts.database.connection().await;
    let here = "SET search_path TO newsletters";
    sqlx::query(here).execute(&mut schema).await.expect("there");
    let keep = "CREATE TABLE kept AS TABLE consents";
    sqlx::query(keep).execute(&mut schema).await.expect("kept");
    for (tamper, place) in [
        ("UPDATE consents SET kind = 'travel' WHERE position = 2", 2),
        (
            "UPDATE consents SET at = at + interval '1 microsecond' WHERE position = 3",
            3,
        ),
        ("DELETE FROM consents WHERE position = 1", 1),
        (
            "UPDATE consents SET position = CASE position WHEN 2 THEN 30 ELSE position END",
            2,
        ),
    ] {
        sqlx::query(tamper)
            .execute(&mut schema)
            .await
            .expect("tampered");
        let broken = fixture.verify().await;
        assert_eq!(broken.broken_at, Some(place), "{tamper}");
        return_to_whole(&mut schema).await;
    }
}

/// Undoes all manipulations by the test.
async fn return_to_whole(schema: &mut sqlx::PgConnection) {
    for undo in [
        "INSERT INTO consents OVERRIDING SYSTEM VALUE SELECT * FROM kept ON CONFLICT (id) DO NOTHING",
        "UPDATE consents c SET kind = k.kind, at = k.at, position = k.position FROM kept k WHERE k.id = c.id",
    ] {
        sqlx::query(undo)
            .execute(&mut *schema)
            .await
            .expect("undone");
    }
}

#[tokio::test]
async fn a_chain_is_followed_in_parts() {
    let fixture = Fixture::new().await;
    for kind in [Kind::News, Kind::Events] {
        fixture
            .change(ADA, (ADDRESS, true), vec![choice(kind, true)])
            .await;
    }
    let first = fixture.verify().await;
    fixture
        .change(ADA, (ADDRESS, true), vec![choice(Kind::News, false)])
        .await;
    fixture.verify().await;
    let from = |digest: Vec<u8>| {
        calls::operator(VerifyConsentsRequest {
            after: first.last,
            digest,
        })
    };
    let mut consents = fixture.consents.clone();
    let rest = consents.verify_consents(from(first.digest.clone())).await;
    let rest = rest.expect("answers").into_inner();
    assert_eq!((rest.entries, rest.broken_at, rest.last), (1, None, 3));
    // A part that begins with another digest belongs to another chain.
    let wrong = consents.verify_consents(from(vec![7; 32])).await;
    assert_eq!(wrong.expect("answers").into_inner().broken_at, Some(3));
}
