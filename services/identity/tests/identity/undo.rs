//! The link that is mailed to a former address undoes the change of address.

use chassis::error::Code;
use chrono::TimeDelta;

use crate::fixture::{Fixture, PASSWORD, fields, secret};

const ADA: &str = "ada@example.com";
const THIEF: &str = "thief@example.net";
const NEW: &str = "a streetcar in October";
const WEEK: TimeDelta = TimeDelta::days(7);
const SECOND: TimeDelta = TimeDelta::seconds(1);

/// An account whose confirmed address its reader, or a thief, changes.
async fn account() -> (Fixture, i64) {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    let token = secret(&fixture.letter(ADA, "Confirm").await);
    fixture.confirm(&token).await.expect("confirms");
    (fixture, id)
}

/// Changes and confirms the account's address.
async fn replace(fixture: &Fixture, id: i64, email: &str) {
    fixture.parts.clock.advance(SECOND);
    let changed = fixture.change(id, (None, Some(email))).await;
    changed.expect("changes");
    let token = secret(&fixture.letter(email, "Confirm").await);
    assert_eq!(fixture.confirm(&token).await.as_deref(), Ok(email));
}

/// The secret of the link that was mailed to a former address.
async fn undo_link(fixture: &Fixture, former: &str) -> String {
    secret(&fixture.letter(former, "was changed").await)
}

#[tokio::test]
async fn the_owner_of_the_former_address_gets_the_account_back_within_a_week() {
    let (fixture, id) = account().await;
    let thief = fixture.sign_in(ADA, PASSWORD).await.expect("signs in");
    replace(&fixture, id, THIEF).await;
    let feed = fixture.make_feed(id).await.expect("makes");
    let link = undo_link(&fixture, ADA).await;
    fixture.parts.clock.advance(WEEK - SECOND);
    let weak = fixture.reset_by(&link, "short").await.expect_err("weak");
    assert_eq!(fields(&weak), ["new_password"]);
    let undone = fixture.reset_by(&link, NEW).await.expect("undoes");
    assert_eq!(undone.email, ADA);
    let access = undone.access.expect("is reported");
    assert!(access.has_password && access.passkeys.is_empty());
    let profile = fixture.profile(id).await;
    assert_eq!(
        (profile.email.as_str(), profile.email_verified),
        (ADA, true)
    );
    let ended = fixture.authenticate(&thief.session_token).await;
    assert_eq!(ended.expect_err("ended").code, Code::NotAuthenticated);
    assert_eq!(fixture.feed_reader(&feed).await, Err(Code::NotFound));
    fixture
        .sign_in(THIEF, PASSWORD)
        .await
        .expect_err("restored");
    fixture.sign_in(ADA, NEW).await.expect("the owner");
    let used = fixture.reset_by(&link, NEW).await.expect_err("used");
    assert_eq!(fields(&used), ["token"]);
    assert!(fixture.acts().await.contains(&"email-restored".to_owned()));
}

#[tokio::test]
async fn a_link_of_a_former_address_expires_after_a_week() {
    let (fixture, id) = account().await;
    replace(&fixture, id, THIEF).await;
    let link = undo_link(&fixture, ADA).await;
    fixture.parts.clock.advance(WEEK);
    let late = fixture.reset_by(&link, NEW).await.expect_err("late");
    assert_eq!(fields(&late), ["token"]);
    assert_eq!(fixture.profile(id).await.email, THIEF);
}

#[tokio::test]
async fn nobody_else_takes_a_former_address_while_it_can_be_restored() {
    let (fixture, id) = account().await;
    let bob = fixture.register("bob@example.com").await;
    let bob = bob.expect("registers").profile_id;
    replace(&fixture, id, THIEF).await;
    let refused = fixture.register("ADA@example.com").await;
    assert_eq!(fields(&refused.expect_err("reserved")), ["email"]);
    let asked = fixture.change(bob, (None, Some(ADA))).await;
    asked.expect("the same answer");
    fixture.letter(ADA, "already have an account").await;
    let back = fixture.change(id, (None, Some(ADA))).await;
    back.expect("changes");
    let links = "SELECT sum(profile_id)::bigint FROM identity.mailed_links
        WHERE purpose = 'confirm-email' AND email = 'ada@example.com'";
    assert_eq!(fixture.parts.database.number(links).await, id);
    fixture.parts.clock.advance(WEEK);
    fixture.register(ADA).await.expect("it is free");
}

#[tokio::test]
async fn no_thief_invalidates_the_first_link_by_changing_the_address_further() {
    let (fixture, id) = account().await;
    replace(&fixture, id, THIEF).await;
    let link = undo_link(&fixture, ADA).await;
    for n in 0..12 {
        replace(&fixture, id, &format!("thief{n}@example.net")).await;
    }
    let links = "SELECT count(*) FROM identity.mailed_links WHERE purpose = 'undo-email'";
    assert_eq!(fixture.parts.database.number(links).await, 12);
    let reset = fixture.reset_link("thief11@example.net").await;
    fixture.reset_by(&reset, NEW).await.expect("resets");
    let of_thief = undo_link(&fixture, THIEF).await;
    fixture.reset_by(&link, NEW).await.expect("undoes");
    assert_eq!(fixture.profile(id).await.email, ADA);
    let refused = fixture.reset_by(&of_thief, NEW).await;
    assert_eq!(fields(&refused.expect_err("revoked")), ["token"]);
}

#[tokio::test]
async fn an_unconfirmed_address_gets_no_link_to_undo_its_replacement() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    replace(&fixture, id, THIEF).await;
    let links = "SELECT count(*) FROM identity.mailed_links WHERE purpose = 'undo-email'";
    assert_eq!(fixture.parts.database.number(links).await, 0);
}
