//! Readers' settings, and their effect when an address is confirmed.

use chassis::error::Code;
use newsletters_proto::v1::{ChangeSettingsRequest, GetSettingsRequest};
use testkit::{calls, until};
use vocabulary::newsletters::Kind;

use crate::fixture::{ADA, ADDRESS, Fixture, choice, origin};

#[tokio::test]
async fn what_a_change_does_not_name_stays() {
    let fixture = Fixture::new().await;
    assert!(fixture.settings(ADA).await.is_empty());
    let both = vec![choice(Kind::News, true), choice(Kind::Promotions, true)];
    let on = fixture.change(ADA, (ADDRESS, true), both).await;
    assert_eq!(on, ["news", "promotions"]);
    let on = fixture
        .change(ADA, (ADDRESS, true), vec![choice(Kind::News, false)])
        .await;
    assert_eq!(on, ["promotions"]);
    assert_eq!(fixture.settings(ADA).await, ["promotions"]);
    assert_eq!(
        fixture.acts(ADDRESS).await,
        ["given news", "given promotions", "withdrawn news"]
    );
}

#[tokio::test]
async fn nothing_is_mailed_before_the_address_is_confirmed() {
    let fixture = Fixture::new().await;
    fixture
        .change(ADA, (ADDRESS, false), vec![choice(Kind::News, true)])
        .await;
    fixture.drain().await;
    assert!(fixture.parts.letters().is_empty());
    fixture.tell_address(ADA, ADDRESS).await;
    let token = until("a welcome", async || fixture.secrets("preferences").pop()).await;
    assert_eq!(fixture.on_by_token(&token).await, ["news"]);
}

#[tokio::test]
async fn guests_have_no_settings_and_unknown_newsletters_are_refused() {
    let fixture = Fixture::new().await;
    let mut client = fixture.client.clone();
    let refused = client
        .get_settings(calls::guest(GetSettingsRequest::default()))
        .await;
    assert_eq!(
        refused.expect_err("a guest").code(),
        tonic::Code::Unauthenticated
    );
    let mut unknown = choice(Kind::News, true);
    unknown.kind = "weather".to_owned();
    let mut unworded = choice(Kind::News, true);
    unworded.wording.clear();
    for wrong in [unknown, unworded] {
        let request = ChangeSettingsRequest {
            choices: vec![wrong],
            origin: Some(origin("settings")),
            email: ADDRESS.to_owned(),
            is_email_verified: true,
        };
        let refused = client.change_settings(calls::reader(ADA, request)).await;
        let fault = chassis::error::Fault::from(refused.expect_err("refused"));
        assert_eq!(fault.code, Code::Invalid);
    }
}
