//! A caller token is valid only with a right signature and within its lifetime.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{
    call::{Caller, CallerTokens},
    keys::Keys,
};
use chrono::TimeDelta;
use testkit::clock::ManualClock;

#[test]
fn a_token_names_its_caller_until_it_expires() {
    let clock = ManualClock::shared();
    let tokens = CallerTokens::new(Keys::one(&[7; 32]), clock.clone());
    for caller in [Caller::Guest, Caller::Reader(42), Caller::Operator] {
        assert_eq!(tokens.verify(&tokens.sign(caller)), Some(caller));
    }
    let token = tokens.sign(Caller::Reader(42));
    clock.advance(TimeDelta::seconds(59));
    assert_eq!(tokens.verify(&token), Some(Caller::Reader(42)));
    clock.advance(TimeDelta::seconds(1));
    assert_eq!(tokens.verify(&token), None);
}

#[test]
fn another_key_or_a_changed_claim_is_nobody() {
    let clock = ManualClock::shared();
    let token = CallerTokens::new(Keys::one(&[7; 32]), clock.clone()).sign(Caller::Reader(42));
    assert_eq!(
        CallerTokens::new(Keys::one(&[8; 32]), clock.clone()).verify(&token),
        None
    );
    let (_, signature) = token.split_once('.').expect("two parts");
    let claims = BASE64_URL_SAFE_NO_PAD.encode(r#"{"sub":1,"exp":99999999999}"#);
    assert_eq!(
        CallerTokens::new(Keys::one(&[7; 32]), clock).verify(&format!("{claims}.{signature}")),
        None
    );
    assert_eq!(
        CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared()).verify("nonsense"),
        None
    );
}
