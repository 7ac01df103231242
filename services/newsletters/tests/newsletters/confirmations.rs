//! Guests: no newsletter is sent to an address before its owner has confirmed it, regardless of the number of requests.

use chassis::error::Code;
use chrono::TimeDelta;
use newsletters_proto::v1::{AllowAddressRequest, RefuseRequest};
use testkit::{calls, until};
use vocabulary::newsletters::Kind;

use crate::fixture::{ADDRESS, Fixture, choice};

#[tokio::test]
async fn a_guest_gets_what_was_confirmed_and_a_link_confirms_once() {
    let fixture = Fixture::new().await;
    let link = fixture
        .ask_for_link(ADDRESS, &[Kind::Foods, Kind::News])
        .await;
    let shown = fixture.get_confirmation(&link).await.expect("shows");
    assert_eq!(shown.address, "a…@example.com");
    assert_eq!(shown.kinds, ["news", "foods"]);
    assert!(
        fixture.known(ADDRESS).await.on.is_empty(),
        "looking changes nothing"
    );

    fixture.confirm(&link).await.expect("confirms");
    assert_eq!(fixture.known(ADDRESS).await.on, ["news", "foods"]);
    let replayed = fixture.confirm(&link).await.expect_err("used up");
    assert_eq!(replayed.code, Code::NotFound);
    let shown = fixture.get_confirmation(&link).await.expect_err("used up");
    assert_eq!(shown.code, Code::NotFound);
}

#[tokio::test]
async fn a_replayed_confirmation_does_not_undo_an_unsubscription() {
    let fixture = Fixture::new().await;
    let link = fixture.ask_for_link(ADDRESS, &[Kind::News]).await;
    fixture.confirm(&link).await.expect("confirms");
    let token = until("a welcome", async || fixture.secrets("preferences").pop()).await;
    let left = fixture
        .prefer(&token, vec![choice(Kind::News, false)])
        .await;
    assert!(left.expect("unsubscribes").is_empty());
    fixture.confirm(&link).await.expect_err("used up");
    assert!(fixture.on_by_token(&token).await.is_empty());
}

#[tokio::test]
async fn of_parallel_confirmations_one_counts() {
    let fixture = Fixture::new().await;
    let link = fixture.ask_for_link(ADDRESS, &[Kind::News]).await;
    let (one, two) = tokio::join!(fixture.confirm(&link), fixture.confirm(&link));
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    assert_eq!(
        fixture.acts(ADDRESS).await,
        ["requested news", "given news"]
    );
}

#[tokio::test]
async fn an_old_link_and_an_invented_one_do_nothing() {
    let fixture = Fixture::new().await;
    let link = fixture.ask_for_link(ADDRESS, &[Kind::News]).await;
    fixture.parts.clock.advance(TimeDelta::days(3));
    for token in [link.as_str(), "", "invented", "1\0", &"a".repeat(5_000)] {
        let refused = fixture.confirm(token).await.expect_err("no link");
        assert_eq!(refused.code, Code::NotFound);
        let refused = fixture.preferences(token).await.expect_err("no token");
        assert_eq!(refused.code, Code::NotFound);
    }
}

#[tokio::test]
async fn a_link_confirms_what_its_mail_named_alone() {
    let fixture = Fixture::new().await;
    let link = fixture.ask_for_link(ADDRESS, &[Kind::News]).await;
    // Somebody else adds another newsletter before the first link is used.
    let other = fixture.ask_for_link(ADDRESS, &[Kind::Promotions]).await;
    let confirmed = fixture.confirm(&link).await.expect("confirms");
    assert_eq!(confirmed.kinds, ["news"]);
    assert_eq!(fixture.known(ADDRESS).await.on, ["news"]);
    // The second email listed both newsletters; its link confirms the remaining newsletter.
    let confirmed = fixture.confirm(&other).await.expect("confirms");
    assert_eq!(confirmed.kinds, ["promotions"]);
}

#[tokio::test]
async fn a_mailbox_is_asked_three_times_a_day_however_its_address_is_written() {
    let fixture = Fixture::new().await;
    for address in ["ada@example.com", "Ada@Example.com", "ada+1@example.com"] {
        fixture.ask_for_link(address, &[Kind::News]).await;
    }
    for address in ["ada+2@example.com", "ADA@example.com"] {
        fixture
            .ask(address, &[Kind::Foods])
            .await
            .expect("the same answer");
    }
    fixture.drain().await;
    assert_eq!(fixture.secrets("confirm").len(), 3);
    fixture
        .parts
        .clock
        .advance(TimeDelta::days(1) + TimeDelta::seconds(1));
    fixture
        .ask_for_link("ada+2@example.com", &[Kind::Foods])
        .await;
}

#[tokio::test]
async fn an_owner_who_does_not_want_to_be_asked_is_not_asked_again() {
    let fixture = Fixture::new().await;
    let link = fixture.ask_for_link(ADDRESS, &[Kind::News]).await;
    let request = calls::guest(RefuseRequest {
        token: link.clone(),
    });
    fixture
        .links
        .clone()
        .refuse(request)
        .await
        .expect("refuses");
    fixture.confirm(&link).await.expect_err("used up");
    fixture
        .ask("ada+more@example.com", &[Kind::News])
        .await
        .expect("the same answer");
    fixture.drain().await;
    assert_eq!(fixture.secrets("confirm").len(), 1);
    let known = fixture.known(ADDRESS).await;
    assert!(known.is_refused);
    assert_eq!(fixture.acts(ADDRESS).await, ["requested news", "refused"]);

    let allow = || {
        calls::operator(AllowAddressRequest {
            email: ADDRESS.to_owned(),
        })
    };
    let mut consents = fixture.consents.clone();
    consents.allow_address(allow()).await.expect("allowed");
    consents
        .allow_address(allow())
        .await
        .expect_err("nothing to allow");
    fixture.ask_for_link(ADDRESS, &[Kind::News]).await;
}

#[tokio::test]
async fn a_known_address_is_asked_like_any_other_and_nothing_changes_meanwhile() {
    let fixture = Fixture::new().await;
    let token = fixture.subscribe(ADDRESS, &[Kind::News]).await;
    fixture
        .ask_for_link(ADDRESS, &[Kind::News, Kind::Travel])
        .await;
    assert_eq!(fixture.on_by_token(&token).await, ["news"]);
}

#[tokio::test]
async fn an_address_that_is_none_or_brings_headers_along_is_refused() {
    let fixture = Fixture::new().await;
    for address in [
        "",
        "ada",
        "ada@example.com\r\nBcc: bob@example.com",
        "a@b.c,d@e.f",
    ] {
        let refused = fixture
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
    fixture.drain().await;
    assert!(fixture.parts.letters().is_empty());
}

#[tokio::test]
async fn a_welcome_comes_once_for_each_newsletter() {
    let fixture = Fixture::new().await;
    let token = fixture.subscribe(ADDRESS, &[Kind::News]).await;
    let travel = || vec![choice(Kind::Travel, true)];
    fixture.prefer(&token, travel()).await.expect("changes");
    fixture
        .prefer(&token, travel())
        .await
        .expect("changes nothing");
    let welcomes = async || {
        let letters = fixture.parts.letters();
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
    fixture.drain().await;
    assert!(welcomes().await.is_some());
}
