//! Guests: nothing is sent to an address before its owner has confirmed it, however often somebody asks.

use std::time::Duration;

use chassis::{error::Code, newsletters::Kind};
use chrono::TimeDelta;
use cityguide_proto::newsletters::v1::{AllowAddressRequest, RefuseRequest};
use testkit::{calls, until};

use crate::bench::{ADDRESS, Bench, choice};

/// Time enough for a job that has something to do, where nothing is to come of it.
const QUIET: Duration = Duration::from_millis(600);

#[tokio::test]
async fn a_guest_gets_what_was_confirmed_and_a_link_confirms_once() {
    let bench = Bench::new().await;
    let link = bench
        .ask_for_link(ADDRESS, &[Kind::Foods, Kind::News])
        .await;
    let shown = bench.get_confirmation(&link).await.expect("shows");
    assert_eq!(shown.address, "a…@example.com");
    assert_eq!(shown.kinds, ["news", "foods"]);
    assert!(
        bench.known(ADDRESS).await.on.is_empty(),
        "looking changes nothing"
    );

    bench.confirm(&link).await.expect("confirms");
    assert_eq!(bench.known(ADDRESS).await.on, ["news", "foods"]);
    let replayed = bench.confirm(&link).await.expect_err("used up");
    assert_eq!(replayed.code, Code::NotFound);
    let shown = bench.get_confirmation(&link).await.expect_err("used up");
    assert_eq!(shown.code, Code::NotFound);
}

#[tokio::test]
async fn a_replayed_confirmation_does_not_undo_an_unsubscription() {
    let bench = Bench::new().await;
    let link = bench.ask_for_link(ADDRESS, &[Kind::News]).await;
    bench.confirm(&link).await.expect("confirms");
    let token = until("a welcome", async || bench.secrets("preferences").pop()).await;
    let left = bench.prefer(&token, vec![choice(Kind::News, false)]).await;
    assert!(left.expect("unsubscribes").is_empty());
    bench.confirm(&link).await.expect_err("used up");
    assert!(bench.on_by_token(&token).await.is_empty());
}

#[tokio::test]
async fn of_parallel_confirmations_one_counts() {
    let bench = Bench::new().await;
    let link = bench.ask_for_link(ADDRESS, &[Kind::News]).await;
    let (one, two) = tokio::join!(bench.confirm(&link), bench.confirm(&link));
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    assert_eq!(bench.acts(ADDRESS).await, ["requested news", "given news"]);
}

#[tokio::test]
async fn an_old_link_and_an_invented_one_do_nothing() {
    let bench = Bench::new().await;
    let link = bench.ask_for_link(ADDRESS, &[Kind::News]).await;
    bench.parts.clock.advance(TimeDelta::days(3));
    for token in [link.as_str(), "", "invented", "1\0", &"a".repeat(5_000)] {
        let refused = bench.confirm(token).await.expect_err("no link");
        assert_eq!(refused.code, Code::NotFound);
        let refused = bench.preferences(token).await.expect_err("no token");
        assert_eq!(refused.code, Code::NotFound);
    }
}

#[tokio::test]
async fn a_link_confirms_what_its_mail_named_alone() {
    let bench = Bench::new().await;
    let link = bench.ask_for_link(ADDRESS, &[Kind::News]).await;
    // Somebody else adds another newsletter before the first link is used.
    let other = bench.ask_for_link(ADDRESS, &[Kind::Promotions]).await;
    let confirmed = bench.confirm(&link).await.expect("confirms");
    assert_eq!(confirmed.kinds, ["news"]);
    assert_eq!(bench.known(ADDRESS).await.on, ["news"]);
    // The second mail named both; what is left of it is confirmed by its link.
    let confirmed = bench.confirm(&other).await.expect("confirms");
    assert_eq!(confirmed.kinds, ["promotions"]);
}

#[tokio::test]
async fn a_mailbox_is_asked_three_times_a_day_however_its_address_is_written() {
    let bench = Bench::new().await;
    for address in ["ada@example.com", "Ada@Example.com", "ada+1@example.com"] {
        bench.ask_for_link(address, &[Kind::News]).await;
    }
    for address in ["ada+2@example.com", "ADA@example.com"] {
        bench
            .ask(address, &[Kind::Foods])
            .await
            .expect("the same answer");
    }
    tokio::time::sleep(QUIET).await;
    assert_eq!(bench.secrets("confirm").len(), 3);
    bench
        .parts
        .clock
        .advance(TimeDelta::days(1) + TimeDelta::seconds(1));
    bench
        .ask_for_link("ada+2@example.com", &[Kind::Foods])
        .await;
}

#[tokio::test]
async fn an_owner_who_does_not_want_to_be_asked_is_not_asked_again() {
    let bench = Bench::new().await;
    let link = bench.ask_for_link(ADDRESS, &[Kind::News]).await;
    let request = calls::guest(RefuseRequest {
        token: link.clone(),
    });
    bench.links.clone().refuse(request).await.expect("refuses");
    bench.confirm(&link).await.expect_err("used up");
    bench
        .ask("ada+more@example.com", &[Kind::News])
        .await
        .expect("the same answer");
    tokio::time::sleep(QUIET).await;
    assert_eq!(bench.secrets("confirm").len(), 1);
    let known = bench.known(ADDRESS).await;
    assert!(known.is_refused);
    assert_eq!(bench.acts(ADDRESS).await, ["requested news", "refused"]);

    let allow = || {
        calls::operator(AllowAddressRequest {
            email: ADDRESS.to_owned(),
        })
    };
    let mut consents = bench.consents.clone();
    consents.allow_address(allow()).await.expect("allowed");
    consents
        .allow_address(allow())
        .await
        .expect_err("nothing to allow");
    bench.ask_for_link(ADDRESS, &[Kind::News]).await;
}

#[tokio::test]
async fn a_known_address_is_asked_like_any_other_and_nothing_changes_meanwhile() {
    let bench = Bench::new().await;
    let token = bench.subscribe(ADDRESS, &[Kind::News]).await;
    bench
        .ask_for_link(ADDRESS, &[Kind::News, Kind::Travel])
        .await;
    assert_eq!(bench.on_by_token(&token).await, ["news"]);
}

#[tokio::test]
async fn an_address_that_is_none_or_brings_headers_along_is_refused() {
    let bench = Bench::new().await;
    for address in [
        "",
        "ada",
        "ada@example.com\r\nBcc: bob@example.com",
        "a@b.c,d@e.f",
    ] {
        let refused = bench
            .ask(address, &[Kind::News])
            .await
            .expect_err("refused");
        assert_eq!(refused.code, Code::Invalid);
        let fields: Vec<_> = refused
            .fields
            .iter()
            .map(|one| one.field.as_str())
            .collect();
        assert_eq!(fields, ["email"], "{address:?}");
    }
    tokio::time::sleep(QUIET).await;
    assert!(bench.parts.letters().is_empty());
}

#[tokio::test]
async fn a_welcome_comes_once_for_each_newsletter() {
    let bench = Bench::new().await;
    let token = bench.subscribe(ADDRESS, &[Kind::News]).await;
    let travel = || vec![choice(Kind::Travel, true)];
    bench.prefer(&token, travel()).await.expect("changes");
    bench
        .prefer(&token, travel())
        .await
        .expect("changes nothing");
    let welcomes = async || {
        let letters = bench.parts.letters();
        let of = |title: &str| {
            let subject = format!("Subject: Welcome to {title}\r\n");
            letters
                .iter()
                .filter(|letter| letter.contains(&subject))
                .count()
        };
        Some((of("Top Stories"), of("Travel"))).filter(|both| *both == (1, 1))
    };
    until("two welcomes", welcomes).await;
    tokio::time::sleep(QUIET).await;
    assert!(welcomes().await.is_some());
}
