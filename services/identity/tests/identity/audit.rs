//! The audit log: the actor, action, time and network of each change to an account.

use chassis::{
    actor::{Actor, with_actor},
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::readers::v1::ExportRequest;
use identity_proto::v1::{
    AuditEntry, EndSessionRequest, ListAuditRequest, get_account_request::Account as Wanted,
};
use serde_json::Value;
use sqlx::AssertSqlSafe;
use testkit::{calls, within_hours};

use crate::fixture::{Fixture, PASSWORD, secret};

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";
const NEW_PASSWORD: &str = "a streetcar in October";
const HOME: &str = "203.0.113.0/24";

/// Runs work as a client in a network.
async fn from<T>(network: &str, work: impl Future<Output = T>) -> T {
    with_actor(Actor::client(network), work).await
}

/// Runs work as an operator.
async fn by<T>(name: &str, work: impl Future<Output = T>) -> T {
    with_actor(Actor::operator(name), work).await
}

impl Fixture {
    async fn audit(&self, request: ListAuditRequest) -> Result<Vec<AuditEntry>, Fault> {
        let request = calls::operator(request);
        let page = self.accounts.clone().list_audit(request).await?;
        Ok(page.into_inner().entries)
    }

    /// The audit log entries of one account, or of all accounts.
    async fn entries(&self, account_id: Option<i64>) -> Vec<AuditEntry> {
        let request = ListAuditRequest {
            account_id,
            since: None,
            after: None,
        };
        self.audit(request).await.expect("entries")
    }

    /// The acts of all accounts, the earliest first.
    pub(crate) async fn acts(&self) -> Vec<String> {
        let entries = self.entries(None).await.into_iter();
        entries.map(|entry| entry.act).collect()
    }

    async fn number(&self, query: &'static str) -> i64 {
        self.parts.database.number(query).await
    }

    async fn run(&self, statement: String) {
        let mut connection = self.parts.database.connection().await;
        let done = sqlx::query(AssertSqlSafe(statement)).execute(&mut connection);
        done.await.expect("runs");
    }

    fn pass(&self) {
        self.parts.clock.advance(TimeDelta::seconds(1));
    }
}

fn last(entry: &AuditEntry) -> DateTime<Utc> {
    let at = entry.last.as_ref().and_then(instant::from_proto);
    at.expect("an instant")
}

#[tokio::test]
async fn every_act_is_recorded_with_its_account_instant_and_network_alone() {
    let fixture = Fixture::new().await;
    let ada = from(HOME, fixture.register(ADA)).await.expect("registers");
    let id = ada.profile_id;
    let confirm = secret(&fixture.letter(ADA, "Confirm").await);
    let acting = async {
        fixture.pass();
        fixture.confirm(&confirm).await.expect("confirms");
        fixture.pass();
        fixture
            .sign_in(ADA, "wrong horse")
            .await
            .expect_err("wrong");
        fixture.pass();
        let phone = fixture.sign_in(ADA, PASSWORD).await.expect("signs in");
        fixture.pass();
        fixture
            .sign_out(&phone.session_token)
            .await
            .expect("signs out");
        let other = fixture.sign_in(ADA, PASSWORD).await.expect("signs in");
        fixture.pass();
        let id_of_other = "SELECT max(id) FROM identity.sessions";
        let request = EndSessionRequest {
            id: fixture.number(id_of_other).await,
        };
        let ended = fixture
            .client
            .clone()
            .end_session(calls::reader(id, request))
            .await;
        ended.expect("ends");
        fixture
            .authenticate(&other.session_token)
            .await
            .expect_err("ended");
        fixture.pass();
        let own = &ada.session_token;
        let wrong = fixture.change_password(id, own, ("wrong horse", NEW_PASSWORD));
        wrong.await.expect_err("wrong");
        fixture.pass();
        let changed = fixture.change_password(id, own, (PASSWORD, NEW_PASSWORD));
        changed.await.expect("changes");
        fixture.pass();
        let email = fixture.change(id, (None, Some("ada@example.org")));
        email.await.expect("asks");
        fixture.pass();
        let link = fixture.reset_link(ADA).await;
        fixture.pass();
        fixture.reset(&link, PASSWORD).await.expect("resets");
        fixture.pass();
        fixture.make_feed(id).await.expect("makes");
        fixture.pass();
        fixture.end_feed(id).await;
        fixture.pass();
        fixture.export(id).await.expect("exports");
    };
    from(HOME, acting).await;

    let entries = fixture.entries(None).await;
    let acts: Vec<_> = entries.iter().map(|entry| entry.act.as_str()).collect();
    assert_eq!(
        acts,
        [
            "registered",
            "email-confirmed",
            "sign-in-failed",
            "signed-in",
            "signed-out",
            "signed-in",
            "session-ended",
            "password-check-failed",
            "password-changed",
            "email-change-requested",
            "password-reset-requested",
            "password-reset",
            "calendar-feed-made",
            "calendar-feed-ended",
            "data-exported",
        ]
    );
    for entry in &entries {
        assert_eq!(entry.account_id, Some(id), "{entry:?}");
        assert_eq!(entry.network.as_deref(), Some(HOME), "{entry:?}");
        assert_eq!((entry.times, &entry.operator), (1, &None), "{entry:?}");
    }
    let since = &entries[8];
    let request = ListAuditRequest {
        since: Some(instant::to_proto(last(since) - TimeDelta::milliseconds(1))),
        ..ListAuditRequest::default()
    };
    let later = fixture.audit(request).await.expect("entries");
    assert_eq!(later, entries[8..]);
    let named = "SELECT count(*) FROM identity.audit_entries e WHERE e::text LIKE '%@%'";
    assert_eq!(fixture.number(named).await, 0, "no address");
}

#[tokio::test]
async fn what_is_refused_leaves_no_entry_of_its_act() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    fixture.register(ADA).await.expect_err("taken");
    fixture.sign_out("never was").await.expect("no error");
    let request = calls::reader(ada, EndSessionRequest { id: 999 });
    let absent = fixture.client.clone().end_session(request).await;
    absent.expect_err("no such session");
    fixture.end_feed(ada).await;
    fixture.confirm("never was").await.expect_err("no link");
    fixture.set_disabled(999, true).await.expect_err("nobody");
    fixture
        .account(Wanted::Id(999))
        .await
        .expect_err("no such account");
    assert_eq!(fixture.acts().await, ["registered"]);
}

#[tokio::test]
async fn what_an_operator_does_is_recorded_with_the_operators_name() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let acting = async {
        fixture.pass();
        let found = fixture.account(Wanted::Email(ADA.to_owned()));
        found.await.expect("an account");
        fixture.pass();
        fixture.end_sessions(ada).await.expect("ends");
        fixture.pass();
        fixture.set_disabled(ada, true).await.expect("disables");
        fixture.pass();
        fixture.set_disabled(ada, false).await.expect("enables");
        fixture.pass();
        fixture.entries(Some(ada)).await;
    };
    by("grace", acting).await;
    let entries = fixture.entries(None).await;
    let acts: Vec<_> = entries[1..]
        .iter()
        .map(|entry| (entry.act.as_str(), entry.operator.as_deref()))
        .collect();
    let expected = [
        "account-viewed",
        "sessions-ended",
        "account-disabled",
        "account-enabled",
        "audit-viewed",
    ];
    assert_eq!(acts, expected.map(|act| (act, Some("grace"))));
}

#[tokio::test]
async fn only_operators_read_the_log() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let request = ListAuditRequest {
        account_id: Some(ada),
        ..ListAuditRequest::default()
    };
    let mut accounts = fixture.accounts.clone();
    let refused = accounts.list_audit(calls::reader(ada, request)).await;
    let refused = Fault::from(refused.expect_err("refused"));
    assert_eq!(refused.code, Code::Forbidden);
}

#[tokio::test]
async fn failed_attempts_are_counted_by_hour_and_network_also_on_addresses_that_nobody_has() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    for (email, network) in [
        (ADA, HOME),
        (ADA, HOME),
        (ADA, "198.51.100.0/24"),
        (BOB, HOME),
        ("nonsense", HOME),
    ] {
        fixture.pass();
        let refused = from(network, fixture.sign_in(email, "wrong horse")).await;
        refused.expect_err("wrong");
    }
    fixture.parts.clock.advance(TimeDelta::hours(1));
    let refused = from(HOME, fixture.sign_in(ADA, "wrong horse")).await;
    refused.expect_err("wrong");
    let entries = fixture.entries(None).await;
    let failed: Vec<_> = entries
        .iter()
        .filter(|entry| entry.act == "sign-in-failed")
        .map(|entry| (entry.account_id, entry.network.as_deref(), entry.times))
        .collect();
    assert_eq!(
        failed,
        [
            (Some(ada), Some(HOME), 2),
            (Some(ada), Some("198.51.100.0/24"), 1),
            (None, Some(HOME), 2),
            (Some(ada), Some(HOME), 1),
        ]
    );
}

#[tokio::test]
async fn a_sign_in_to_a_disabled_account_counts_as_failed() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    fixture.set_disabled(ada, true).await.expect("disables");
    fixture.pass();
    fixture.sign_in(ADA, PASSWORD).await.expect_err("disabled");
    assert_eq!(fixture.acts().await.last().expect("one"), "sign-in-failed");
}

#[tokio::test]
async fn failed_attempts_of_strangers_take_no_more_entries_than_the_bounds() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    // Attempts from 23 networks within an hour, on an account and on an address without an account.
    for network in 0..23 {
        for email in [ADA, BOB] {
            let network = format!("198.51.{network}.0/24");
            let refused = from(&network, fixture.sign_in(email, "wrong horse")).await;
            refused.expect_err("wrong");
        }
    }
    for whose in [Some(ada), None] {
        let entries = fixture.entries(None).await;
        let failed: Vec<_> = entries
            .iter()
            .filter(|entry| entry.act == "sign-in-failed" && entry.account_id == whose)
            .collect();
        assert_eq!(failed.len(), 21, "{failed:?}");
        let others = failed.iter().find(|entry| entry.network.is_none());
        assert_eq!(others.expect("one").times, 3, "of further networks");
    }

    // Adds entries for many hours, as if the attempts had continued for a long time.
    for whose in [ada.to_string(), "NULL".to_owned()] {
        fixture
            .run(format!(
                "INSERT INTO identity.audit_entries (profile_id, act, network, hour, first_at, last_at)
                 SELECT {whose}, 'sign-in-failed', 'n', h, h, h
                 FROM generate_series(1, 600) AS i, LATERAL (SELECT timestamptz '2026-11-01' - i * interval '1 hour') AS t (h)"
            ))
            .await;
    }
    for email in [ADA, BOB] {
        let refused = from("192.0.2.0/24", fixture.sign_in(email, "wrong horse")).await;
        refused.expect_err("wrong");
    }
    let most = "SELECT max(entries) FROM (
        SELECT count(*) AS entries FROM identity.audit_entries GROUP BY profile_id, act) AS each";
    assert!(fixture.number(most).await <= 500);
    let newest = "SELECT count(*) FROM identity.audit_entries WHERE hour > '2026-11-20'";
    assert_eq!(fixture.number(newest).await, 42, "the oldest are gone");
}

#[tokio::test]
async fn an_act_that_is_repeated_pushes_out_its_own_oldest_entries_and_no_others() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    fixture
        .run(format!(
            "INSERT INTO identity.audit_entries (profile_id, act, first_at, last_at)
             SELECT {ada}, 'signed-in', t, t
             FROM generate_series(1, 600) AS i, LATERAL (SELECT timestamptz '2026-11-01' + i * interval '1 s') AS s (t)"
        ))
        .await;
    fixture.sign_in(ADA, PASSWORD).await.expect("signs in");
    let of_act = "SELECT count(*) FROM identity.audit_entries WHERE act = 'signed-in'";
    assert_eq!(fixture.number(of_act).await, 500);
    let newest = "SELECT count(*) FROM identity.audit_entries WHERE first_at >= '2026-11-20' AND act = 'signed-in'";
    assert_eq!(fixture.number(newest).await, 1);
    let others = "SELECT count(*) FROM identity.audit_entries WHERE act = 'registered'";
    assert_eq!(fixture.number(others).await, 1);
}

#[tokio::test]
async fn entries_of_a_reader_who_has_left_stay_under_a_pseudonym() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let bob = fixture.register(BOB).await.expect("registers").profile_id;
    fixture
        .sign_in(ADA, "wrong horse")
        .await
        .expect_err("wrong");
    fixture.pass();
    let refused = fixture.erase(ada, "wrong horse").await;
    refused.expect_err("wrong");
    fixture.pass();
    fixture.erase(ada, PASSWORD).await.expect("erases");
    let named = "SELECT count(*) FROM identity.audit_entries WHERE profile_id IS NOT NULL";
    assert_eq!(fixture.number(named).await, 1, "Bob's");

    let kept = fixture.entries(Some(ada)).await;
    let mut acts: Vec<_> = kept.iter().map(|entry| entry.act.as_str()).collect();
    acts.sort_unstable();
    assert_eq!(
        acts,
        [
            "account-erased",
            "password-check-failed",
            "registered",
            "sign-in-failed"
        ]
    );
    let pseudonym = kept[0].pseudonym.clone().expect("a pseudonym");
    for entry in &kept {
        assert_eq!(
            (entry.account_id, entry.pseudonym.as_ref()),
            (None, Some(&pseudonym))
        );
    }
    assert!(
        fixture
            .entries(Some(bob))
            .await
            .iter()
            .all(|entry| entry.pseudonym.is_none())
    );

    // Attempts on the address no longer belong to an account and are counted separately from earlier attempts.
    fixture
        .sign_in(ADA, "wrong horse")
        .await
        .expect_err("nobody");
    let entries = fixture.entries(None).await;
    let failed = entries.iter().rfind(|entry| entry.act == "sign-in-failed");
    let failed = failed.expect("one");
    assert_eq!(
        (failed.account_id, &failed.pseudonym, failed.times),
        (None, &None, 1)
    );
}

#[tokio::test]
async fn no_entry_slips_past_an_erasure() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers");
    let id = ada.profile_id;
    let guessing = (0..8).map(|_| fixture.sign_in(ADA, "wrong horse"));
    let leaving = async {
        fixture
            .sign_out(&ada.session_token)
            .await
            .expect("signs out");
        fixture.erase(id, PASSWORD).await
    };
    let (_, left) = tokio::join!(futures::future::join_all(guessing), leaving);
    left.expect("erases");
    let named = "SELECT count(*) FROM identity.audit_entries WHERE profile_id IS NOT NULL";
    assert_eq!(fixture.number(named).await, 0);
    let failed =
        "SELECT sum(times)::bigint FROM identity.audit_entries WHERE act = 'sign-in-failed'";
    assert!(fixture.number(failed).await <= 8);
}

#[tokio::test]
async fn entries_are_kept_as_long_as_the_settings_say() {
    let fixture = Fixture::new().await;
    fixture.register(ADA).await.expect("registers");
    fixture.parts.clock.advance(TimeDelta::days(364));
    fixture.register(BOB).await.expect("registers");
    fixture.parts.clock.advance(TimeDelta::days(1));
    within_hours("the older entry is purged", async || {
        let left = "SELECT count(*) FROM identity.audit_entries";
        (fixture.number(left).await == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_reader_gets_the_own_entries_and_no_operators_name() {
    let fixture = Fixture::new().await;
    let ada = from(HOME, fixture.register(ADA)).await.expect("registers");
    fixture.register(BOB).await.expect("registers");
    fixture.pass();
    by("grace", fixture.set_disabled(ada.profile_id, false))
        .await
        .expect("enables");
    let first = fixture.export(ada.profile_id).await.expect("exports");
    let request = ExportRequest {
        after: first.next.expect("a page of entries"),
        ..ExportRequest::default()
    };
    let page = fixture
        .departures
        .clone()
        .export(calls::reader(ada.profile_id, request))
        .await;
    let page = page.expect("exports").into_inner();
    assert_eq!(
        page.next.as_deref(),
        Some("calendar-0"),
        "no page of entries"
    );
    let records = page.records.iter().map(|record| {
        assert_eq!(record.kind, "audit_entries");
        serde_json::from_str::<Value>(&record.json).expect("JSON")
    });
    let records: Vec<_> = records.collect();
    let acts: Vec<_> = records.iter().map(|record| &record["act"]).collect();
    assert_eq!(acts, ["registered", "account-enabled", "data-exported"]);
    assert_eq!(records[0]["network"], HOME);
    assert_eq!(records[0]["first"], "2026-11-20T12:00:00.000Z");
    assert_eq!(records[1]["by_operator"], true);
    assert!(!records[1].to_string().contains("grace"));
}
