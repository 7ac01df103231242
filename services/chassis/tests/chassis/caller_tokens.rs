//! A caller token is valid only with a valid signature and within its lifetime.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{
    actor::Actor,
    call::{Caller, CallerTokens},
    keys::Keys,
};
use chrono::TimeDelta;
use testkit::clock::ManualClock;

const GET: &str = "/cityguide.identity.v1.Identity/GetProfile";

#[test]
fn a_token_names_its_caller_until_it_expires() {
    let clock = ManualClock::shared();
    let tokens = CallerTokens::new(Keys::one(&[7; 32]), clock.clone());
    let actors = [
        Actor::default(),
        Actor::client("203.0.113.0/24"),
        Actor::operator("Zoë"),
    ];
    for caller in [Caller::Guest, Caller::Reader(42), Caller::Operator] {
        for actor in &actors {
            let verified = tokens.verify(&tokens.sign(caller, actor, GET), GET);
            assert_eq!(verified, Some((caller, actor.clone())));
        }
    }
    let token = tokens.sign(Caller::Reader(42), &Actor::default(), GET);
    clock.advance(TimeDelta::seconds(59));
    let verified = tokens.verify(&token, GET);
    assert_eq!(verified, Some((Caller::Reader(42), Actor::default())));
    clock.advance(TimeDelta::seconds(1));
    assert_eq!(tokens.verify(&token, GET), None);
}

#[test]
fn another_key_or_a_changed_claim_is_nobody() {
    let clock = ManualClock::shared();
    let token = CallerTokens::new(Keys::one(&[7; 32]), clock.clone()).sign(
        Caller::Reader(42),
        &Actor::default(),
        GET,
    );
    assert_eq!(
        CallerTokens::new(Keys::one(&[8; 32]), clock.clone()).verify(&token, GET),
        None
    );
    let (_, signature) = token.split_once('.').expect("two parts");
    let claims = BASE64_URL_SAFE_NO_PAD.encode(r#"{"sub":1,"exp":99999999999}"#);
    assert_eq!(
        CallerTokens::new(Keys::one(&[7; 32]), clock).verify(&format!("{claims}.{signature}"), GET),
        None
    );
    assert_eq!(
        CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared()).verify("nonsense", GET),
        None
    );
}

#[test]
fn a_token_is_for_one_procedure_of_one_service() {
    let tokens = CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared());
    let token = tokens.sign(Caller::Operator, &Actor::default(), GET);
    assert!(tokens.verify(&token, GET).is_some());
    for other in [
        "/cityguide.identity.v1.Identity/SignOut",
        "/cityguide.places.v1.Identity/GetProfile",
        "",
    ] {
        assert_eq!(tokens.verify(&token, other), None, "{other}");
    }
}
