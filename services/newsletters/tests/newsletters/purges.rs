//! What is deleted by itself.

use chassis::newsletters::Kind;
use chrono::TimeDelta;
use testkit::{until, within_hours};

use crate::bench::{ADA, ADDRESS, Bench, choice};

const BOB: i64 = 2;

#[tokio::test]
async fn old_evidence_is_emptied_and_the_chain_still_holds_while_consents_that_stand_stay() {
    let bench = Bench::new().await;
    let both = vec![choice(Kind::News, true), choice(Kind::Foods, true)];
    bench.change(ADA, (ADDRESS, true), both).await;
    bench
        .change(ADA, (ADDRESS, true), vec![choice(Kind::News, false)])
        .await;
    let link = bench.ask_for_link("bob@example.com", &[Kind::News]).await;
    assert_eq!(bench.verify().await.entries, 4);
    bench
        .change(
            BOB,
            ("bob@example.com", true),
            vec![choice(Kind::Contests, true)],
        )
        .await;
    bench.print("canoe", "Win a canoe").await;
    let sent = "SELECT count(*) FROM newsletters.issues WHERE state = 'sent'";
    let delivered = "SELECT count(*) FROM newsletters.deliveries";
    until("it is sent", async || {
        (bench.parts.database.number(sent).await == 1).then_some(())
    })
    .await;
    assert_eq!(bench.parts.database.number(delivered).await, 1);
    bench.parts.clock.advance(TimeDelta::days(1_096));
    within_hours("the purges", async || {
        (bench.acts(ADDRESS).await == ["given foods"]).then_some(())
    })
    .await;
    let followed = bench.verify().await;
    assert_eq!((followed.emptied, followed.broken_at), (3, None));
    bench.confirm(&link).await.expect_err("too old");
    for rows in [
        "SELECT count(*) FROM newsletters.requests",
        "SELECT count(*) FROM newsletters.confirmation_links",
        delivered,
    ] {
        within_hours(rows, async || {
            (bench.parts.database.number(rows).await == 0).then_some(())
        })
        .await;
    }
}
