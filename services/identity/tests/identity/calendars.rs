//! Access to readers' calendars: the sessions that may complete an authorisation, the storage of tokens, and deletions.
//! Saving and writing of events are tested with the whole system; here the other services are unavailable.

use chassis::{
    error::{Code, Fault},
    keys::Keys,
};
use chrono::TimeDelta;
use identity_proto::v1::{
    BeginAuthorizationRequest, CheckCalendarRequest, CompleteAuthorizationRequest,
    DisconnectCalendarRequest, GetCalendarRequest, SessionStarted,
};
use testkit::{calls, google::Google, within_hours};

use crate::fixture::{Fixture, ThirdParties, calendars_of, database};

const ADA: &str = "ada@example.com";
const BEGUN: &str = "SELECT count(*) FROM identity.calendar_authorizations";

fn third_parties(google: &Google) -> ThirdParties {
    ThirdParties {
        calendar: calendars_of(&google.url("")),
        ..ThirdParties::default()
    }
}

impl Fixture {
    async fn with_google(keys: Keys) -> (Self, Google) {
        let google = Google::start().await;
        let parts = testkit::parts::parts_on(database().await);
        let fixture = Self::with(parts, keys, third_parties(&google)).await;
        (fixture, google)
    }

    /// Another process of the same site with other keys, as after a restart.
    async fn with_other_keys(&self, keys: Keys, google: &Google) -> Self {
        let parts = self.parts.clone().with_empty_cache();
        Self::with(parts, keys, third_parties(google)).await
    }

    pub(crate) async fn begin(&self, reader: &SessionStarted) -> String {
        let request = BeginAuthorizationRequest {
            session_token: reader.session_token.clone(),
            next: "/events/".to_owned(),
        };
        let request = calls::reader(reader.profile_id, request);
        let begun = self.calendars.clone().begin_authorization(request).await;
        begun.expect("begins").into_inner().authorization_url
    }

    /// Completes an authorisation for a reader whose browser Google has redirected to this address.
    async fn complete(&self, reader: &SessionStarted, address: &str) -> Result<String, Code> {
        let (_, query) = address.split_once('?').expect("parameters");
        let value = |name: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let mut values = pairs.filter(|(key, _)| *key == name);
            values.next().map_or("", |(_, value)| value).to_owned()
        };
        let request = CompleteAuthorizationRequest {
            session_token: reader.session_token.clone(),
            state: value("state"),
            code: value("code"),
            error: value("error"),
        };
        let request = calls::reader(reader.profile_id, request);
        let completed = self.calendars.clone().complete_authorization(request).await;
        completed
            .map(|completed| completed.into_inner().next)
            .map_err(|status| Fault::from(status).code)
    }

    pub(crate) async fn connect(&self, reader: &SessionStarted, google: &Google) {
        let consent = google.consent(&self.begin(reader).await);
        assert_eq!(
            self.complete(reader, &consent).await.as_deref(),
            Ok("/events/")
        );
        assert!(self.is_connected(reader).await);
    }

    pub(crate) async fn is_connected(&self, reader: &SessionStarted) -> bool {
        let request = calls::reader(reader.profile_id, GetCalendarRequest {});
        let found = self.calendars.clone().get_calendar(request).await;
        found
            .expect("answers")
            .into_inner()
            .date_connected
            .is_some()
    }

    async fn is_authorised(&self, reader: &SessionStarted) -> bool {
        let request = CheckCalendarRequest {
            event_id: 7,
            session_token: reader.session_token.clone(),
        };
        let request = calls::reader(reader.profile_id, request);
        let checked = self.calendars.clone().check_calendar(request).await;
        checked.expect("answers").into_inner().is_authorised
    }
}

fn keys(text: &str) -> Keys {
    Keys::parse(text).expect("keys")
}

#[tokio::test]
async fn an_authorisation_is_completed_once_by_its_session_and_in_time() {
    let (fixture, google) = Fixture::with_google(keys(&"k".repeat(32))).await;
    let ada = fixture.register(ADA).await.expect("registers");
    let elsewhere = fixture.sign_in(ADA, crate::fixture::PASSWORD).await;
    let elsewhere = elsewhere.expect("signs in");
    let bob = fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    let consent = google.consent(&fixture.begin(&ada).await);
    for other in [&elsewhere, &bob] {
        assert_eq!(fixture.complete(other, &consent).await, Err(Code::NotFound));
    }
    fixture.parts.clock.advance(TimeDelta::minutes(10));
    assert_eq!(
        fixture.complete(&ada, &consent).await.as_deref(),
        Ok("/events/")
    );
    assert!(!fixture.is_connected(&ada).await, "it was over");

    let consent = google.consent(&fixture.begin(&ada).await);
    let completing = (0..8).map(|_| fixture.complete(&ada, &consent));
    for completed in futures::future::join_all(completing).await {
        assert_eq!(completed.as_deref(), Ok("/events/"));
    }
    // Google would have refused a second exchange of the code, and the refusal would have undone the first exchange.
    assert!(fixture.is_connected(&ada).await);
    assert!(!fixture.is_connected(&bob).await);
}

#[tokio::test]
async fn a_calendar_that_is_connected_and_disconnected_is_recorded_each_time() {
    let (fixture, google) = Fixture::with_google(keys(&"k".repeat(32))).await;
    let ada = fixture.register(ADA).await.expect("registers");
    fixture.connect(&ada, &google).await;
    fixture.letter(ADA, "connected with a calendar").await;
    for _ in 0..2 {
        let request = calls::reader(ada.profile_id, DisconnectCalendarRequest {});
        let ended = fixture.calendars.clone().disconnect_calendar(request).await;
        ended.expect("ends");
    }
    assert_eq!(
        fixture.acts().await,
        ["registered", "calendar-connected", "calendar-disconnected"]
    );
}

#[tokio::test]
async fn a_reader_has_ten_authorisations_and_none_after_a_day() {
    let (fixture, google) = Fixture::with_google(keys(&"k".repeat(32))).await;
    let ada = fixture.register(ADA).await.expect("registers");
    let first = google.consent(&fixture.begin(&ada).await);
    for _ in 0..10 {
        fixture.parts.clock.advance(TimeDelta::seconds(1));
        fixture.begin(&ada).await;
    }
    assert!(!fixture.is_authorised(&ada).await);
    assert_eq!(fixture.parts.database.number(BEGUN).await, 10);
    assert_eq!(fixture.complete(&ada, &first).await, Err(Code::NotFound));
    let intents = "SELECT count(*) FROM identity.calendar_intents";
    assert_eq!(fixture.parts.database.number(intents).await, 1);
    fixture.parts.clock.advance(TimeDelta::days(1));
    within_hours("they are deleted", async || {
        let left = [BEGUN, intents].map(|query| fixture.parts.database.number(query));
        (futures::future::join_all(left).await == [0, 0]).then_some(())
    })
    .await;
}

#[tokio::test]
async fn tokens_are_encrypted_anew_before_their_key_is_removed() {
    let [old, new] = ["o", "n"].map(|one| one.repeat(32));
    let (fixture, google) = Fixture::with_google(keys(&old)).await;
    let ada = fixture.register(ADA).await.expect("registers");
    fixture.connect(&ada, &google).await;
    let key_id = async || -> String {
        let mut connection = fixture.parts.database.connection().await;
        let key_id = sqlx::query_scalar("SELECT key_id FROM identity.calendar_grants");
        let found = key_id.fetch_one(&mut connection).await;
        found.expect("a grant")
    };
    let before = key_id().await;
    let both = keys(&format!("{new}\n{old}"));
    let both = fixture.with_other_keys(both, &google).await;
    within_hours("the new key is used", async || {
        (key_id().await != before).then_some(())
    })
    .await;
    assert!(both.is_authorised(&ada).await);
    let alone = both.with_other_keys(keys(&new), &google).await;
    assert!(alone.is_authorised(&ada).await);
    assert_eq!(google.refreshes(), 0, "the tokens are the same");
}

#[tokio::test]
async fn a_grant_whose_key_was_removed_is_given_anew() {
    let [old, new] = ["o", "n"].map(|one| one.repeat(32));
    let (fixture, google) = Fixture::with_google(keys(&old)).await;
    let ada = fixture.register(ADA).await.expect("registers");
    fixture.connect(&ada, &google).await;
    let other = fixture.with_other_keys(keys(&new), &google).await;
    assert!(!other.is_authorised(&ada).await);
    other.connect(&ada, &google).await;
    assert!(other.is_authorised(&ada).await);
}

#[tokio::test]
async fn a_revoked_grant_is_found_before_an_event_is_saved() {
    let (fixture, google) = Fixture::with_google(keys(&"k".repeat(32))).await;
    let ada = fixture.register(ADA).await.expect("registers");
    assert!(!fixture.is_authorised(&ada).await);
    fixture.connect(&ada, &google).await;
    fixture.parts.clock.advance(TimeDelta::minutes(2));
    assert!(fixture.is_authorised(&ada).await);
    google.fail_with(Some(503));
    fixture.parts.clock.advance(TimeDelta::minutes(2));
    assert!(
        fixture.is_authorised(&ada).await,
        "it is not known otherwise"
    );
    google.fail_with(None);
    google.revoke_everything();
    assert!(!fixture.is_authorised(&ada).await);
    assert!(!fixture.is_connected(&ada).await);
}
