//! Operators look accounts up, disable and enable them, and end their sessions.

use chassis::error::{Code, Fault};
use identity_proto::v1::{
    Account, EndSessionsRequest, GetAccountRequest, RequestPasswordResetRequest,
    SetDisabledRequest, get_account_request::Account as Wanted,
};
use testkit::calls;

use crate::fixture::{Fixture, PASSWORD, fields};

impl Fixture {
    pub(crate) async fn account(&self, wanted: Wanted) -> Result<Account, Fault> {
        let request = calls::operator(GetAccountRequest {
            account: Some(wanted),
        });
        let answer = self.accounts.clone().get_account(request).await?;
        Ok(answer.into_inner())
    }

    pub(crate) async fn set_disabled(&self, id: i64, is_disabled: bool) -> Result<Account, Fault> {
        let request = calls::operator(SetDisabledRequest { id, is_disabled });
        let answer = self.accounts.clone().set_disabled(request).await?;
        Ok(answer.into_inner())
    }

    pub(crate) async fn end_sessions(&self, id: i64) -> Result<i64, Fault> {
        let request = calls::operator(EndSessionsRequest { id });
        let answer = self.accounts.clone().end_sessions(request).await?;
        Ok(answer.into_inner().sessions)
    }
}

#[tokio::test]
async fn an_account_is_found_by_its_id_and_by_any_spelling_of_its_address() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let signed_in = fixture.sign_in("ada@example.com", PASSWORD).await;
    signed_in.expect("signs in");
    for wanted in [
        Wanted::Id(ada.profile_id),
        Wanted::Email(" Ada@Example.com".to_owned()),
    ] {
        let found = fixture.account(wanted).await.expect("an account");
        assert_eq!((found.id, found.sessions), (ada.profile_id, 2));
        assert_eq!(found.email, "ada@example.com");
        assert_eq!(found.date_created, ada.account_created);
        assert_eq!(found.last_active, ada.account_created);
        assert_eq!(found.date_disabled, None);
    }
    for wanted in [Wanted::Id(999), Wanted::Email("bob@example.com".to_owned())] {
        let absent = fixture.account(wanted).await.expect_err("nobody");
        assert_eq!(absent.code, Code::NotFound);
    }
}

#[tokio::test]
async fn nobody_signs_in_to_a_disabled_account_until_it_is_enabled() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    fixture
        .authenticate(&ada.session_token)
        .await
        .expect("is cached");
    let disabled = fixture.set_disabled(ada.profile_id, true).await;
    let disabled = disabled.expect("an account");
    assert!(disabled.date_disabled.is_some() && disabled.sessions == 0);
    let ended = fixture.authenticate(&ada.session_token).await;
    assert_eq!(ended.expect_err("ended").code, Code::NotAuthenticated);

    // Only a caller with the right password learns that the account is disabled.
    let refusal = fixture.sign_in("ada@example.com", PASSWORD).await;
    let refusal = refusal.expect_err("disabled");
    assert_eq!(fields(&refusal), ["non_field_errors"]);
    assert!(refusal.fields[0].message.contains("disabled"), "{refusal}");
    let wrong = fixture.sign_in("ada@example.com", "wrong horse").await;
    let unknown = fixture.sign_in("bob@example.com", "wrong horse").await;
    assert_eq!(
        wrong.expect_err("wrong").fields,
        unknown.expect_err("unknown").fields
    );
    let letters = fixture.letters_in_all().await;
    let email = "ada@example.com".to_owned();
    let request = calls::guest(RequestPasswordResetRequest { email });
    let asked = fixture.client.clone().request_password_reset(request).await;
    asked.expect("taken");
    assert_eq!(fixture.letters_in_all().await, letters, "no link is mailed");

    let again = fixture.set_disabled(ada.profile_id, true).await;
    assert_eq!(
        again.expect("an account").date_disabled,
        disabled.date_disabled
    );
    let enabled = fixture.set_disabled(ada.profile_id, false).await;
    assert_eq!(enabled.expect("an account").date_disabled, None);
    let signed_in = fixture.sign_in("ada@example.com", PASSWORD).await;
    signed_in.expect("signs in");
    let absent = fixture.set_disabled(999, true).await.expect_err("nobody");
    assert_eq!(absent.code, Code::NotFound);
}

#[tokio::test]
async fn every_session_of_an_account_ends_and_no_other() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let phone = fixture.sign_in("ada@example.com", PASSWORD).await;
    let phone = phone.expect("signs in");
    let bob = fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    assert_eq!(fixture.end_sessions(ada.profile_id).await, Ok(2));
    for session in [&ada, &phone] {
        let ended = fixture.authenticate(&session.session_token).await;
        assert_eq!(ended.expect_err("ended").code, Code::NotAuthenticated);
    }
    fixture
        .authenticate(&bob.session_token)
        .await
        .expect("goes on");
    assert_eq!(fixture.end_sessions(ada.profile_id).await, Ok(0));
    let absent = fixture.end_sessions(999).await.expect_err("nobody");
    assert_eq!(absent.code, Code::NotFound);
}

#[tokio::test]
async fn only_operators_see_and_change_accounts() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let id = ada.profile_id;
    let mut client = fixture.accounts.clone();
    let wanted = GetAccountRequest {
        account: Some(Wanted::Id(id)),
    };
    let disable = SetDisabledRequest {
        id,
        is_disabled: true,
    };
    let seen = client
        .get_account(calls::reader(id, wanted))
        .await
        .map(drop);
    let disabled = client
        .set_disabled(calls::reader(id, disable))
        .await
        .map(drop);
    let request = calls::reader(id, EndSessionsRequest { id });
    let ended = client.end_sessions(request).await.map(drop);
    for refused in [seen, disabled, ended] {
        let fault = Fault::from(refused.expect_err("refused"));
        assert_eq!(fault.code, Code::Forbidden);
    }
    fixture
        .authenticate(&ada.session_token)
        .await
        .expect("goes on");
}
