//! Automatic deletions.

use chrono::TimeDelta;
use testkit::{until, within_hours};
use vocabulary::newsletters::Kind;

use crate::fixture::{ADA, ADDRESS, Fixture, choice};

const BOB: i64 = 2;

#[tokio::test]
async fn old_evidence_is_emptied_and_the_chain_still_holds_while_consents_that_stand_stay() {
    let fixture = Fixture::new().await;
    let both = vec![choice(Kind::News, true), choice(Kind::Foods, true)];
    fixture.change(ADA, (ADDRESS, true), both).await;
    fixture
        .change(ADA, (ADDRESS, true), vec![choice(Kind::News, false)])
        .await;
    let link = fixture.ask_for_link("bob@example.com", &[Kind::News]).await;
    assert_eq!(fixture.verify().await.entries, 4);
    fixture
        .change(
            BOB,
            ("bob@example.com", true),
            vec![choice(Kind::Contests, true)],
        )
        .await;
    fixture.print("canoe", "Win a canoe").await;
    let sent = "SELECT count(*) FROM newsletters.issues WHERE state = 'sent'";
    let delivered = "SELECT count(*) FROM newsletters.deliveries";
    until("it is sent", async || {
        (fixture.parts.database.number(sent).await == 1).then_some(())
    })
    .await;
    assert_eq!(fixture.parts.database.number(delivered).await, 1);
    fixture.parts.clock.advance(TimeDelta::days(1_096));
    within_hours("the purges", async || {
        (fixture.acts(ADDRESS).await == ["given foods"]).then_some(())
    })
    .await;
    let followed = fixture.verify().await;
    assert_eq!((followed.emptied, followed.broken_at), (3, None));
    fixture.confirm(&link).await.expect_err("too old");
    for rows in [
        "SELECT count(*) FROM newsletters.requests",
        "SELECT count(*) FROM newsletters.confirmation_links",
        delivered,
    ] {
        within_hours(rows, async || {
            (fixture.parts.database.number(rows).await == 0).then_some(())
        })
        .await;
    }
}
