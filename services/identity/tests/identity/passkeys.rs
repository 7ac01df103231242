//! Passkeys are created, used and removed with a real authenticator in software.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use identity_proto::v1::{
    AddPasskeyRequest, BeginRegistrationRequest, BeginSignInRequest, Ceremony, EraseAccountRequest,
    GetProfileRequest, ListPasskeysRequest, Passkey, PasskeyAnswer, PasskeyRegisterRequest,
    PasskeySignInRequest, RemovePasskeyRequest, SessionStarted, SetDisabledRequest,
};
use testkit::{calls, passkeys::PasskeyDevice, within_hours};
use tonic::Request;

use crate::fixture::{Fixture, refusal, secret};

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";
const BROWSER: &str = "a secret of this browser";

pub(crate) fn device() -> PasskeyDevice {
    PasskeyDevice::at("https://guide.test")
}

fn answer(ceremony: &Ceremony, credential: &str) -> PasskeyAnswer {
    PasskeyAnswer {
        token: ceremony.token.clone(),
        credential: credential.to_owned(),
        browser: BROWSER.to_owned(),
    }
}

impl Fixture {
    async fn begin_sign_in(&self) -> Result<Ceremony, Fault> {
        let browser = BROWSER.to_owned();
        let request = calls::guest(BeginSignInRequest { browser });
        let begun = self.passkeys.clone().begin_sign_in(request).await?;
        Ok(begun.into_inner())
    }

    async fn begin_registration(&self, reader: Option<i64>, email: &str) -> Ceremony {
        let request = BeginRegistrationRequest {
            full_name: "Ada King".to_owned(),
            email: email.to_owned(),
            browser: BROWSER.to_owned(),
        };
        let request = match reader {
            Some(reader) => calls::reader(reader, request),
            None => calls::guest(request),
        };
        let begun = self.passkeys.clone().begin_registration(request).await;
        begun.expect("begins").into_inner()
    }

    async fn end_registration(
        &self,
        answer: PasskeyAnswer,
        email: &str,
    ) -> Result<SessionStarted, Fault> {
        let request = calls::guest(PasskeyRegisterRequest {
            answer: Some(answer),
            full_name: "Ada King".to_owned(),
            email: email.to_owned(),
            device: "test".to_owned(),
        });
        let started = self.passkeys.clone().register(request).await?;
        Ok(started.into_inner())
    }

    /// A new account whose only means of signing in is a device's passkey.
    pub(crate) async fn register_by(&self, device: &mut PasskeyDevice, email: &str) -> i64 {
        let begun = self.begin_registration(None, email).await;
        let made = device.make(&begun.options).await;
        let started = self.end_registration(answer(&begun, &made), email).await;
        started.expect("registers").profile_id
    }

    async fn end_sign_in(&self, answer: PasskeyAnswer) -> Result<SessionStarted, Fault> {
        let request = calls::guest(PasskeySignInRequest {
            answer: Some(answer),
            device: "test".to_owned(),
        });
        let signed_in = self.passkeys.clone().sign_in(request).await?;
        Ok(signed_in.into_inner().session.expect("a session"))
    }

    pub(crate) async fn sign_in_by(
        &self,
        device: &mut PasskeyDevice,
    ) -> Result<SessionStarted, Fault> {
        let begun = self.begin_sign_in().await?;
        let signed = device.sign(&begun.options).await;
        self.end_sign_in(answer(&begun, &signed)).await
    }

    async fn add(&self, reader: i64, answer: PasskeyAnswer) -> Result<Passkey, Fault> {
        let request = AddPasskeyRequest {
            answer: Some(answer),
            device: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
                .to_owned(),
        };
        let request = calls::reader(reader, request);
        let added = self.passkeys.clone().add_passkey(request).await?;
        Ok(added.into_inner())
    }

    pub(crate) async fn add_by(
        &self,
        device: &mut PasskeyDevice,
        reader: i64,
    ) -> Result<Passkey, Fault> {
        let begun = self.begin_registration(Some(reader), "").await;
        let made = device.make(&begun.options).await;
        self.add(reader, answer(&begun, &made)).await
    }

    async fn passkeys_of(&self, reader: i64) -> Vec<Passkey> {
        let request = calls::reader(reader, ListPasskeysRequest {});
        let listed = self.passkeys.clone().list_passkeys(request).await;
        listed.expect("lists").into_inner().passkeys
    }

    async fn remove(&self, reader: i64, id: i64) -> Result<(), Fault> {
        let request = calls::reader(reader, RemovePasskeyRequest { id });
        self.passkeys.clone().remove_passkey(request).await?;
        Ok(())
    }

    async fn has_password(&self, reader: i64) -> bool {
        let request = calls::reader(reader, GetProfileRequest {});
        let profile = self.client.clone().get_profile(request).await;
        !profile.expect("answers").into_inner().is_without_password
    }
}

#[tokio::test]
async fn a_guest_makes_an_account_with_a_passkey_and_signs_in_with_it_anywhere() {
    let fixture = Fixture::new().await;
    let mut phone = device();
    let ada = fixture.register_by(&mut phone, ADA).await;
    assert!(!fixture.has_password(ada).await);
    let letter = fixture.letter(ADA, "Confirm your email").await;
    assert!(letter.contains("/accounts/confirm-email#"), "{letter}");
    let [made] = fixture.passkeys_of(ada).await.try_into().expect("one");
    assert_eq!(made.last_used, None);

    fixture.parts.clock.advance(TimeDelta::days(1));
    let started = fixture.replica().await.sign_in_by(&mut phone).await;
    let started = started.expect("signs in");
    assert_eq!(started.profile_id, ada);
    assert_eq!(
        fixture.authenticate(&started.session_token).await.ok(),
        Some(ada)
    );
    let [used] = fixture.passkeys_of(ada).await.try_into().expect("one");
    let [made, last] = [used.date_created, used.last_used].map(|at| at.map(|at| at.seconds));
    assert!(last > made, "{made:?} {last:?}");

    // No password signs in to the account.
    for password in ["", "correct horse", "$argon2id$"] {
        fixture
            .sign_in(ADA, password)
            .await
            .expect_err("no password");
    }
}

#[tokio::test]
async fn a_ceremony_is_good_for_its_browser_its_purpose_five_minutes_and_one_time() {
    let fixture = Fixture::new().await;
    let mut phone = device();
    let ada = fixture.register_by(&mut phone, ADA).await;

    let begun = fixture.begin_sign_in().await.expect("begins");
    let good = answer(&begun, &phone.sign(&begun.options).await);
    let elsewhere = PasskeyAnswer {
        browser: "another".to_owned(),
        ..good.clone()
    };
    let forged = PasskeyAnswer {
        token: good.token.replacen('.', "A.", 1),
        ..good.clone()
    };
    let empty = PasskeyAnswer::default();
    let unreadable = PasskeyAnswer {
        credential: "[]".to_owned(),
        ..good.clone()
    };
    for (bad, why) in [
        (elsewhere, "non_field_errors"),
        (forged, "non_field_errors"),
        (empty, "non_field_errors"),
        (unreadable, "credential"),
    ] {
        let refused = fixture.end_sign_in(bad).await.expect_err("refused");
        assert_eq!(refusal(&refused), why);
    }
    // The challenge of another ceremony differs from the signed challenge.
    let other = fixture.begin_sign_in().await.expect("begins");
    let mixed = PasskeyAnswer {
        token: other.token,
        ..good.clone()
    };
    fixture.end_sign_in(mixed).await.expect_err("mixed");
    let registration = fixture.begin_registration(None, BOB).await;
    let mixed = PasskeyAnswer {
        token: registration.token,
        ..good.clone()
    };
    fixture
        .end_sign_in(mixed)
        .await
        .expect_err("a registration");

    fixture
        .end_sign_in(good.clone())
        .await
        .expect("the first time");
    let again = fixture
        .end_sign_in(good)
        .await
        .expect_err("the second time");
    assert_eq!(refusal(&again), "non_field_errors");

    let begun = fixture.begin_sign_in().await.expect("begins");
    let late = answer(&begun, &phone.sign(&begun.options).await);
    fixture.parts.clock.advance(TimeDelta::minutes(5));
    fixture.end_sign_in(late).await.expect_err("too late");

    // A ceremony of one account is refused for another account and for a guest.
    let bob = fixture.register(BOB).await.expect("registers").profile_id;
    let begun = fixture.begin_registration(Some(ada), "").await;
    let made = answer(&begun, &device().make(&begun.options).await);
    fixture.add(bob, made.clone()).await.expect_err("Ada's");
    let guest = fixture.end_registration(made, "carl@example.com").await;
    guest.expect_err("Ada's");
}

#[tokio::test]
async fn a_copy_of_a_key_that_counts_its_uses_is_noticed() {
    let fixture = Fixture::new().await;
    let mut key = PasskeyDevice::that_counts_at("https://guide.test");
    fixture.register_by(&mut key, ADA).await;
    let begun = fixture.begin_sign_in().await.expect("begins");
    let behind = answer(&begun, &key.sign(&begun.options).await);
    fixture.sign_in_by(&mut key).await.expect("signs in");
    fixture
        .end_sign_in(behind)
        .await
        .expect_err("an earlier use");
    fixture.sign_in_by(&mut key).await.expect("signs in");
}

#[tokio::test]
async fn one_answer_starts_one_session_however_often_it_is_sent() {
    let fixture = Fixture::new().await;
    let mut phone = device();
    fixture.register_by(&mut phone, ADA).await;
    let begun = fixture.begin_sign_in().await.expect("begins");
    let signed = answer(&begun, &phone.sign(&begun.options).await);
    let sending = (0..16).map(|_| fixture.end_sign_in(signed.clone()));
    let sent = futures::future::join_all(sending).await;
    assert_eq!(sent.iter().filter(|one| one.is_ok()).count(), 1);

    let begun = fixture.begin_registration(None, BOB).await;
    let made = answer(&begun, &device().make(&begun.options).await);
    let sending = (0..16).map(|_| fixture.end_registration(made.clone(), BOB));
    let sent = futures::future::join_all(sending).await;
    assert_eq!(sent.iter().filter(|one| one.is_ok()).count(), 1);
}

#[tokio::test]
async fn ceremonies_that_strangers_begin_or_fail_leave_nothing_and_used_ones_go_when_they_are_over()
{
    let fixture = Fixture::new().await;
    let mut phone = device();
    for _ in 0..50 {
        fixture.begin_sign_in().await.expect("begins");
        let begun = fixture.begin_registration(None, ADA).await;
        let nothing = answer(&begun, "{}");
        fixture
            .end_registration(nothing, ADA)
            .await
            .expect_err("refused");
    }
    let used = "SELECT count(*) FROM identity.used_ceremonies";
    assert_eq!(fixture.parts.database.number(used).await, 0);
    fixture.register_by(&mut phone, ADA).await;
    assert_eq!(fixture.parts.database.number(used).await, 1);
    fixture.parts.clock.advance(TimeDelta::hours(2));
    within_hours("the used ceremony is purged", async || {
        (fixture.parts.database.number(used).await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_reader_adds_passkeys_within_the_bound_and_is_told_of_each() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let mut phone = device();
    let added = fixture.add_by(&mut phone, ada).await.expect("adds");
    assert_eq!(added.name, "Firefox on Linux");
    let letter = fixture.letter(ADA, "A passkey was added").await;
    assert!(letter.contains("remove the passkey"), "{letter}");
    let started = fixture.sign_in_by(&mut phone).await.expect("signs in");
    assert_eq!(started.profile_id, ada);
    assert!(fixture.has_password(ada).await, "both are ways in");

    // The options list the account's passkeys, so that an authenticator does not create another passkey.
    let begun = fixture.begin_registration(Some(ada), "").await;
    assert!(
        begun.options.contains("excludeCredentials"),
        "{}",
        begun.options
    );
    for _ in 1..20 {
        fixture.add_by(&mut device(), ada).await.expect("adds");
    }
    let refused = fixture
        .add_by(&mut device(), ada)
        .await
        .expect_err("too many");
    assert_eq!(refusal(&refused), "non_field_errors");
    assert_eq!(fixture.passkeys_of(ada).await.len(), 20);
}

#[tokio::test]
async fn passkeys_added_at_once_by_two_devices_are_one_users() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let (mut phone, mut laptop) = (device(), device());
    let first = fixture.begin_registration(Some(ada), "").await;
    let second = fixture.begin_registration(Some(ada), "").await;
    let first = answer(&first, &phone.make(&first.options).await);
    let second = answer(&second, &laptop.make(&second.options).await);
    fixture.add(ada, first).await.expect("the first");
    // The laptop's passkey has a different user id: the account already has the phone's user id.
    fixture.add(ada, second).await.expect_err("the second");
    fixture.add_by(&mut laptop, ada).await.expect("tries again");
    for device in [&mut phone, &mut laptop] {
        let started = fixture.sign_in_by(device).await.expect("signs in");
        assert_eq!(started.profile_id, ada);
    }
}

#[tokio::test]
async fn the_last_way_in_stays_until_there_is_another() {
    let fixture = Fixture::new().await;
    let mut phone = device();
    let ada = fixture.register_by(&mut phone, ADA).await;
    let [only] = fixture.passkeys_of(ada).await.try_into().expect("one");
    let refused = fixture.remove(ada, only.id).await.expect_err("the last");
    assert_eq!(refusal(&refused), "non_field_errors");
    fixture
        .sign_in_by(&mut phone)
        .await
        .expect("it still works");

    let other = fixture.add_by(&mut device(), ada).await.expect("adds");
    fixture
        .remove(ada, other.id)
        .await
        .expect("there is one left");
    let gone = fixture.remove(ada, other.id).await.expect_err("gone");
    assert_eq!(gone.code, Code::NotFound);

    // Confirms the address, because resetting the password of an unconfirmed account would remove the passkey.
    let link = secret(&fixture.letter(ADA, "Confirm your email").await);
    fixture.confirm(&link).await.expect("confirms");
    // The mailed link sets a password; readers who have lost their device regain access in the same way.
    let token = fixture.reset_link(ADA).await;
    let new = "another correct horse";
    fixture.reset(&token, new).await.expect("sets a password");
    assert!(fixture.has_password(ada).await);
    fixture.sign_in(ADA, new).await.expect("signs in");
    fixture
        .remove(ada, only.id)
        .await
        .expect("the password is left");
    fixture.sign_in_by(&mut phone).await.expect_err("removed");
}

#[tokio::test]
async fn a_passkey_is_its_accounts_alone() {
    let fixture = Fixture::new().await;
    let mut phone = device();
    let ada = fixture.register_by(&mut phone, ADA).await;
    let bob = fixture.register(BOB).await.expect("registers").profile_id;
    let [hers] = fixture.passkeys_of(ada).await.try_into().expect("one");
    let foreign = fixture.remove(bob, hers.id).await.expect_err("hers");
    assert_eq!(foreign.code, Code::NotFound);

    // A registration that is refused because of a taken address does not use up the response.
    let begun = fixture.begin_registration(None, "carl@example.com").await;
    let mut fresh = device();
    let made = answer(&begun, &fresh.make(&begun.options).await);
    let taken = fixture.end_registration(made.clone(), ADA).await;
    assert_eq!(refusal(&taken.expect_err("taken")), "email");
    fixture
        .end_registration(made, "carl@example.com")
        .await
        .expect("registers");

    // A device with a passkey unknown to this site.
    let mut stranger = device();
    let begun = fixture.begin_registration(None, "dora@example.com").await;
    stranger.make(&begun.options).await;
    let unknown = fixture
        .sign_in_by(&mut stranger)
        .await
        .expect_err("unknown");
    assert_eq!(refusal(&unknown), "non_field_errors");

    let disable = calls::operator(SetDisabledRequest {
        id: ada,
        is_disabled: true,
    });
    fixture
        .accounts
        .clone()
        .set_disabled(disable)
        .await
        .expect("disables");
    let disabled = fixture.sign_in_by(&mut phone).await.expect_err("disabled");
    assert!(
        disabled.fields[0].message.contains("disabled"),
        "{disabled:?}"
    );
}

#[tokio::test]
async fn who_has_no_password_leaves_by_a_passkey() {
    let fixture = Fixture::new().await;
    let mut phone = device();
    let ada = fixture.register_by(&mut phone, ADA).await;
    let mut foreign = device();
    fixture.register_by(&mut foreign, BOB).await;
    let erase = async |passkey: Option<PasskeyAnswer>| {
        let request: Request<_> = calls::reader(
            ada,
            EraseAccountRequest {
                current_password: "correct horse".to_owned(),
                passkey,
                session_token: String::new(),
            },
        );
        let erased = fixture.departures.clone().erase_account(request).await;
        erased.map(drop).map_err(Fault::from)
    };
    let wrong = erase(None).await.expect_err("no password is right");
    assert_eq!(refusal(&wrong), "current_password");
    let begun = fixture.begin_sign_in().await.expect("begins");
    let his = answer(&begun, &foreign.sign(&begun.options).await);
    erase(Some(his)).await.expect_err("Bob's");
    let begun = fixture.begin_sign_in().await.expect("begins");
    let hers = answer(&begun, &phone.sign(&begun.options).await);
    erase(Some(hers.clone())).await.expect("hers");
    erase(Some(hers)).await.expect_err("once");
    let left = "SELECT count(*) FROM identity.passkeys";
    assert_eq!(fixture.parts.database.number(left).await, 1, "Bob's");
    fixture.sign_in_by(&mut phone).await.expect_err("gone");
}

#[tokio::test]
async fn a_site_whose_address_browsers_give_no_passkeys_has_none() {
    let fixture = Fixture::at("http://guide.test").await;
    let none = fixture.begin_sign_in().await.expect_err("none");
    assert_eq!(none.code, Code::NotFound);
    let none = fixture.end_sign_in(PasskeyAnswer::default()).await;
    assert_eq!(none.expect_err("none").code, Code::NotFound);
    let reader = fixture.register(ADA).await.expect("registers").profile_id;
    let gone = fixture.remove(reader, 1).await.expect_err("none");
    assert_eq!(gone.code, Code::NotFound);
}
