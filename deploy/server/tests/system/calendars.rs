//! Readers' calendars: status 101, the redirects to and from Google's page, and the events that are written to
//! calendars.

use std::sync::Arc;

use chassis::clock::SystemClock;
use cityguide::Settings;
use editorial_proto::v1::Kind;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use testkit::{
    google::{CLIENT_ID, CLIENT_SECRET, Google},
    until,
};

use crate::{
    app::{App, Browser, ORIGIN, PASSWORD, answer},
    departures::{erase, erased, export, hex, take_audit, traces},
    items,
    site::{Site, Split, journeys},
};

const ADA: &str = "ada@example.com";
const ME: &str = "/api/v2/profiles/me/";
const CALENDAR: &str = "/api/v2/profiles/me/calendar/";
const BOOKMARKS: &str = "/api/v2/event-bookmarks/";
const MARKET: &str = "/events/market/";
const NOTHING: [bool; 0] = [];

/// A site with calendars, and a stand-in for Google.
pub(crate) struct Calendars {
    site: Site,
    google: Google,
}

fn set(settings: &mut Settings, google: &Google) {
    let own = &mut settings.calendar.google;
    CLIENT_ID.clone_into(&mut own.client_id);
    CLIENT_SECRET.clone_into(&mut own.client_secret);
    own.authorization_url = google.url("/auth");
    own.token_url = google.url("/token");
    own.revocation_url = google.url("/revoke");
    own.api_url = google.url("/calendar");
    settings.internal.key = "a key that all processes of this test share".into();
}

impl Calendars {
    pub(crate) async fn in_one_process() -> Self {
        let google = Google::start().await;
        let clock = Arc::new(SystemClock);
        let site = Site::Whole(App::start_with(clock, |settings| set(settings, &google)).await);
        Self { site, google }
    }

    pub(crate) async fn in_many_processes() -> Self {
        let google = Google::start().await;
        let site = Site::Split(Split::start_with(|settings| set(settings, &google)).await);
        Self { site, google }
    }

    /// A signed-in reader and the id of an event.
    async fn reader(&self) -> (Browser, i64) {
        items::publish(self.site.settings(), items::output()).await;
        let ada = self.site.browser();
        ada.sign_up(ADA).await;
        let market = items::id_at(&ada, MARKET).await;
        (ada, market)
    }

    /// A reader whose calendar is connected, with the event in it.
    async fn connected(&self) -> (Browser, i64) {
        let (ada, market) = self.reader().await;
        assert_eq!(save(&ada, market).await.0, 409);
        let consent = self.google.consent(&begin(&ada, MARKET).await);
        assert_eq!(come_back(&ada, &consent).await, MARKET);
        self.events(1).await;
        (ada, market)
    }

    /// Waits until the calendar has this many events.
    async fn events(&self, count: usize) {
        // The timeout of `until` is longer than the pauses between the first attempts to synchronise.
        until("the calendar's events", async || {
            (self.google.events().len() == count).then_some(())
        })
        .await;
    }

    /// Runs a statement on the site's database.
    async fn run(&self, statement: &'static str) {
        let url = match &self.site {
            Site::Whole(app) => &app.settings.database.url,
            Site::Split(split) => &split.database.url,
        };
        let mut database = PgConnection::connect(url).await.expect("connects");
        let done = sqlx::query(AssertSqlSafe(statement));
        done.execute(&mut database).await.expect("runs");
    }

    /// Ages the last checks of grants at Google, so that they are due again.
    async fn let_checks_age(&self) {
        self.run(
            "UPDATE identity.calendar_grants SET checked_at = checked_at - interval '2 minutes'",
        )
        .await;
    }
}

/// Saves an event with the calendar.
async fn save(browser: &Browser, event: i64) -> (u16, Value) {
    let body = json!({"object_id": event, "add_to_calendar": true});
    answer(browser.post(BOOKMARKS, &body).await).await
}

/// The address of the page that asks for consent.
async fn begin(browser: &Browser, next: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("next_url", next)
        .finish();
    let path = format!("/api/v2/profiles/oauth-authorization?{query}");
    let begun = browser.json(&path).await;
    begun["authorization_url"]
        .as_str()
        .expect("an address")
        .to_owned()
}

/// Opens the site's address to which Google redirects the browser; returns the path at which the browser arrives.
async fn come_back(browser: &Browser, address: &str) -> String {
    let path = address.strip_prefix(ORIGIN).expect("the site's address");
    assert!(path.starts_with("/profiles/oauth-callback?"), "{path}");
    let arrived = browser.get(path).await;
    assert_ne!(arrived.status(), StatusCode::INTERNAL_SERVER_ERROR);
    arrived.url().path().to_owned()
}

/// Whether each saved event is in the calendar, the newest first.
async fn saved(browser: &Browser) -> Vec<bool> {
    let listed = browser.json(BOOKMARKS).await;
    let map = browser.json("/api/v2/event-bookmarks/event_ids/").await;
    let results = listed["results"].as_array().expect("a list");
    assert_eq!(map["results"].as_array().map(Vec::len), Some(results.len()));
    assert_eq!(listed["count"], results.len());
    let flags = results.iter().map(|one| one["add_to_calendar"].as_bool());
    flags.collect::<Option<_>>().expect("flags")
}

/// Removes the first of the saved events.
async fn remove(browser: &Browser) {
    let map = browser.json("/api/v2/event-bookmarks/event_ids/").await;
    let path = format!("{BOOKMARKS}{}/", map["results"][0]["id"]);
    let removed = browser.delete(&path).await;
    assert_eq!(removed.status(), StatusCode::NO_CONTENT);
}

async fn choice(browser: &Browser) -> Value {
    browser.json(ME).await["calendar_sync"].clone()
}

async fn choose(browser: &Browser, is_wanted: bool) {
    let body = json!({"calendar_sync": is_wanted});
    let request = browser.request(Method::PUT, ME).json(&body);
    assert_eq!(request.send().await.expect("answers").status(), 200);
}

async fn a_consent_saves_the_event_once(calendars: &Calendars) {
    let (ada, market) = calendars.reader().await;
    let (status, refused) = save(&ada, market).await;
    assert_eq!(status, 409);
    assert_eq!(refused["status"], 101);
    assert_eq!(refused["code"], "calendar_authorization_required");
    assert!(refused["detail"].is_string(), "{refused}");
    assert_eq!(saved(&ada).await, NOTHING);

    let consent = calendars.google.consent(&begin(&ada, MARKET).await);
    assert_eq!(come_back(&ada, &consent).await, MARKET);
    assert_eq!(saved(&ada).await, [true]);
    assert_eq!(choice(&ada).await, json!(true));
    assert_eq!(ada.json(CALENDAR).await["is_connected"], true);
    calendars.events(1).await;
    let event = calendars.google.events().remove(0);
    assert_eq!(event["summary"], "MARKET");
    assert_eq!(event["start"]["timeZone"], "America/Toronto");
    assert_eq!(event["recurrence"][0], "RRULE:FREQ=WEEKLY;BYDAY=SU");

    // The reader navigates back, or reloads.
    for _ in 0..2 {
        assert_eq!(come_back(&ada, &consent).await, MARKET);
    }
    assert_eq!(saved(&ada).await, [true]);
    assert_eq!(save(&ada, market).await.0, 200, "it stands");

    remove(&ada).await;
    calendars.events(0).await;
    assert_eq!(come_back(&ada, &consent).await, MARKET);
    assert_eq!(saved(&ada).await, NOTHING);

    // Saving the event again creates another calendar event, because Google does not reuse ids.
    assert_eq!(save(&ada, market).await.0, 201);
    calendars.events(1).await;
}

async fn a_denial_saves_nothing_and_opens_the_choice_again(calendars: &Calendars) {
    let (ada, market) = calendars.reader().await;
    choose(&ada, true).await;
    assert_eq!(save(&ada, market).await.0, 409);
    let denial = calendars.google.deny(&begin(&ada, MARKET).await);
    for _ in 0..2 {
        assert_eq!(come_back(&ada, &denial).await, MARKET);
        assert_eq!(saved(&ada).await, NOTHING);
        assert_eq!(choice(&ada).await, Value::Null);
    }
    assert_eq!(ada.json(CALENDAR).await["is_connected"], false);
    // A later consent does not affect that event.
    let consent = calendars.google.consent(&begin(&ada, "/").await);
    assert_eq!(come_back(&ada, &consent).await, "/");
    assert_eq!(saved(&ada).await, NOTHING);
}

async fn a_reader_who_unticks_the_calendar_has_denied_it(calendars: &Calendars) {
    let (ada, market) = calendars.reader().await;
    assert_eq!(save(&ada, market).await.0, 409);
    let address = begin(&ada, MARKET).await;
    let consent = calendars.google.consent_without_calendar(&address);
    assert_eq!(come_back(&ada, &consent).await, MARKET);
    assert_eq!(saved(&ada).await, NOTHING);
    assert_eq!(choice(&ada).await, Value::Null);
}

async fn an_authorisation_is_good_for_its_session_and_its_time_alone(calendars: &Calendars) {
    let (ada, market) = calendars.reader().await;
    assert_eq!(save(&ada, market).await.0, 409);
    let consent = calendars.google.consent(&begin(&ada, MARKET).await);

    // Another reader, the same reader on another device, and a guest cannot complete the authorisation.
    let bob = calendars.site.browser();
    bob.sign_up("bob@example.com").await;
    let elsewhere = calendars.site.browser();
    elsewhere.sign_in(ADA).await;
    let guest = calendars.site.browser();
    for other in [&bob, &elsewhere, &guest] {
        assert_eq!(come_back(other, &consent).await, "/");
    }
    for forged in ["", "?state=", "?state=x&code=y", "?state=x&state=y"] {
        let arrived = ada.get(&format!("/profiles/oauth-callback{forged}")).await;
        assert_ne!(arrived.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
    assert_eq!(saved(&bob).await, NOTHING);
    assert_eq!(saved(&ada).await, NOTHING);
    for reader in [&ada, &bob] {
        assert_eq!(choice(reader).await, Value::Null);
    }

    // The authorisation expires after ten minutes.
    calendars
        .run("UPDATE identity.calendar_authorizations SET created_at = created_at - interval '11 minutes'")
        .await;
    assert_eq!(come_back(&ada, &consent).await, MARKET);
    assert_eq!(saved(&ada).await, NOTHING);
    assert_eq!(ada.json(CALENDAR).await["is_connected"], false);

    let consent = calendars.google.consent(&begin(&ada, MARKET).await);
    assert_eq!(come_back(&ada, &consent).await, MARKET);
    assert_eq!(saved(&ada).await, [true]);
}

async fn a_revoked_grant_is_101_again_and_reconnecting_doubles_nothing(calendars: &Calendars) {
    let (ada, _) = calendars.connected().await;
    // Expired tokens are refreshed silently.
    calendars.google.expire_access_tokens();
    calendars.let_checks_age().await;
    let mut fair = items::output().into_iter();
    let fair = fair.find(|item| item.kind() == Kind::Event);
    let mut fair = fair.expect("an event");
    "fair".clone_into(&mut fair.slug);
    "test:/fair".clone_into(&mut fair.source_id);
    items::publish(calendars.site.settings(), vec![fair]).await;
    let fair = items::id_at(&ada, "/events/fair/").await;

    calendars.google.revoke_everything();
    let (status, refused) = save(&ada, fair).await;
    assert_eq!((status, &refused["status"]), (409, &json!(101)));
    assert_eq!(saved(&ada).await, [true]);
    assert_eq!(choice(&ada).await, json!(true), "the choice stays");

    let writes = calendars.google.writes();
    let consent = calendars
        .google
        .consent(&begin(&ada, "/events/fair/").await);
    assert_eq!(come_back(&ada, &consent).await, "/events/fair/");
    assert_eq!(saved(&ada).await, [true, true]);
    calendars.events(2).await;
    until("both are written", async || {
        (calendars.google.writes() >= writes + 2).then_some(())
    })
    .await;
    assert_eq!(calendars.google.events().len(), 2);
}

async fn expired_tokens_are_refreshed(calendars: &Calendars) {
    let (ada, market) = calendars.connected().await;
    calendars.google.expire_access_tokens();
    remove(&ada).await;
    calendars.events(0).await;
    assert_eq!(calendars.google.refreshes(), 1);
    calendars.let_checks_age().await;
    assert_eq!(save(&ada, market).await.0, 201);
    assert_eq!(calendars.google.refreshes(), 2);
}

async fn events_are_written_once_google_works_again(calendars: &Calendars) {
    let (ada, market) = calendars.connected().await;
    calendars.google.fail_with(Some(503));
    remove(&ada).await;
    calendars.let_checks_age().await;
    assert_eq!(
        save(&ada, market).await.0,
        201,
        "readers do not wait for it"
    );
    assert_eq!(saved(&ada).await, [true]);
    let before = calendars.google.events();
    assert_eq!(before.len(), 1, "the one that is to be removed");
    let writes = calendars.google.writes();
    until("a try has failed", async || {
        (calendars.google.writes() > writes).then_some(())
    })
    .await;
    calendars.google.fail_with(None);
    until("the other event", async || {
        let events = calendars.google.events();
        (events.len() == 1 && events != before).then_some(())
    })
    .await;
}

async fn google_that_does_not_answer_connects_nothing_and_is_asked_again(calendars: &Calendars) {
    let (ada, market) = calendars.reader().await;
    assert_eq!(save(&ada, market).await.0, 409);
    let consent = calendars.google.consent(&begin(&ada, MARKET).await);
    calendars.google.fail_with(Some(503));
    assert_eq!(come_back(&ada, &consent).await, MARKET);
    assert_eq!(saved(&ada).await, NOTHING);
    calendars.google.fail_with(None);
    // The reader reloads the page.
    assert_eq!(come_back(&ada, &consent).await, MARKET);
    assert_eq!(saved(&ada).await, [true]);
}

async fn a_reader_disconnects_the_calendar(calendars: &Calendars) {
    let (ada, market) = calendars.connected().await;
    for _ in 0..2 {
        assert_eq!(ada.delete(CALENDAR).await.status(), StatusCode::NO_CONTENT);
        assert_eq!(ada.json(CALENDAR).await["is_connected"], false);
    }
    assert_eq!(choice(&ada).await, Value::Null);
    until("Google knows", async || {
        (calendars.google.revocations() == 1).then_some(())
    })
    .await;
    assert_eq!(calendars.google.events().len(), 1, "what is written stays");
    assert_eq!(save(&ada, market).await.0, 409);
    assert_eq!(saved(&ada).await, [true]);
}

async fn no_token_stands_in_the_database_or_leads_off_the_site(calendars: &Calendars) {
    let (ada, _) = calendars.connected().await;
    let tokens = calendars.google.tokens();
    assert_eq!(tokens.len(), 2);
    let url = match &calendars.site {
        Site::Whole(app) => &app.settings.database.url,
        Site::Split(split) => &split.database.url,
    };
    let mut database = PgConnection::connect(url).await.expect("connects");
    let query = "SELECT g::text FROM identity.calendar_grants g";
    let row: String = sqlx::query_scalar(query)
        .fetch_one(&mut database)
        .await
        .expect("a row");
    for token in tokens {
        assert!(!row.contains(&hex(token.as_bytes())), "{token}");
    }
    for next in [
        "//evil.test/",
        "/\\evil.test",
        "https://evil.test/",
        "javascript:x",
        "",
    ] {
        let consent = calendars.google.consent(&begin(&ada, next).await);
        assert_eq!(come_back(&ada, &consent).await, "/", "{next}");
    }
    let own = format!("{ORIGIN}{MARKET}");
    let consent = calendars.google.consent(&begin(&ada, &own).await);
    assert_eq!(come_back(&ada, &consent).await, MARKET);
}

async fn a_reader_who_leaves_takes_the_calendar_along(calendars: &Calendars) {
    let (ada, _) = calendars.connected().await;
    let id = ada.json(ME).await["id"].as_i64().expect("an id");
    let (files, stored) = export(&ada).await;
    let (stored, _) = take_audit(stored);
    for kind in [
        "calendar_grants",
        "calendar_entries",
        "calendar_authorizations",
    ] {
        assert_eq!(stored.get(kind), Some(&1), "{stored:?}");
    }
    assert!(files["calendar_entries"][0]["date_written"].is_string());
    assert_eq!(erase(&ada, PASSWORD).await.0, 204);
    until("Google knows", async || {
        (calendars.google.revocations() == 1).then_some(())
    })
    .await;
    let erased = erased(&calendars.site, ADA).await;
    assert_eq!(erased, stored, "the receipt counts what the export held");
    until("nothing is left", async || {
        (traces(&calendars.site, id).await == ["identity.erasures: 1"]).then_some(())
    })
    .await;
}

async fn a_site_without_calendars_saves_alone(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    let ada = site.browser();
    ada.sign_up(ADA).await;
    assert_eq!(ada.json("/api/v2/site/").await["has_calendars"], false);
    let market = items::id_at(&ada, MARKET).await;
    assert_eq!(save(&ada, market).await.0, 201);
    assert_eq!(saved(&ada).await, [false]);
    for path in [
        CALENDAR,
        "/api/v2/profiles/oauth-authorization",
        "/api/v2/profiles/oauth-authorization/",
    ] {
        assert_eq!(
            ada.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

mod without_calendars {
    use super::{a_site_without_calendars_saves_alone, journeys};

    journeys! {
        a_site_without_calendars_saves_alone,
    }
}

journeys! {
    on crate::calendars::Calendars;
    a_denial_saves_nothing_and_opens_the_choice_again,
    a_reader_who_unticks_the_calendar_has_denied_it,
    an_authorisation_is_good_for_its_session_and_its_time_alone,
    a_revoked_grant_is_101_again_and_reconnecting_doubles_nothing,
    expired_tokens_are_refreshed,
    events_are_written_once_google_works_again,
    google_that_does_not_answer_connects_nothing_and_is_asked_again,
    a_reader_disconnects_the_calendar,
    no_token_stands_in_the_database_or_leads_off_the_site,
    a_reader_who_leaves_takes_the_calendar_along;
    split too:
    a_consent_saves_the_event_once,
}
