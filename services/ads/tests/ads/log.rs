//! The log is complete and signed, and changes to it are detected.

use ad_delivery::{
    Counts, Follower, LogKey, LogSigner, LoggedBatch, batch_from_wire, key_from_wire,
};
use ads_proto::v1::{EventKind, ReadLogRequest, ShowLogKeysRequest};
use chassis::{keys::Keys, signing::PublicKey};
use sqlx::AssertSqlSafe;
use testkit::{calls, until};

use crate::fixture::{Fixture, event};

impl Fixture {
    async fn log(&self) -> Vec<LoggedBatch> {
        let request = calls::operator(ReadLogRequest { after: 0 });
        let read = self.campaigns.clone().read_log(request).await;
        let mut stream = read.expect("reads").into_inner();
        let mut log = Vec::new();
        while let Some(batch) = stream.message().await.expect("reads on") {
            log.push(batch_from_wire(batch).expect("a batch"));
        }
        log
    }

    /// The keys of the log, and the keys that the service has now.
    async fn keys(&self) -> (Vec<LogKey>, Vec<PublicKey>) {
        let request = calls::operator(ShowLogKeysRequest {});
        let shown = self.campaigns.clone().show_log_keys(request).await;
        let shown = shown.expect("shows").into_inner();
        let keys = shown.keys.into_iter().map(key_from_wire);
        let own = shown.own.into_iter();
        (
            keys.collect::<Result<_, _>>().expect("keys"),
            own.map(|key| key.try_into().expect("32 bytes")).collect(),
        )
    }

    pub(crate) async fn follow(&self) -> Result<Follower, ad_delivery::Broken> {
        let (_, own) = self.keys().await;
        self.follow_trusting(&own).await
    }

    async fn follow_trusting(
        &self,
        trusted: &[PublicKey],
    ) -> Result<Follower, ad_delivery::Broken> {
        let (keys, _) = self.keys().await;
        let mut follower = Follower::new(keys, trusted);
        for batch in self.log().await {
            follower.take(&batch)?;
        }
        Ok(follower)
    }

    /// Five batches of two events.
    async fn logged() -> Self {
        let fixture = Self::with_goal(100).await;
        let ids = fixture.ids().await;
        for at in 0..5 {
            let events = [EventKind::Impression, EventKind::Click];
            let events = events.map(|kind| event(&fixture, ids, (at, kind, 500)));
            fixture.record(events.to_vec()).await;
        }
        fixture
    }
}

#[tokio::test]
async fn the_log_adds_up_to_what_was_reported() {
    let fixture = Fixture::logged().await;
    let follower = fixture.follow().await.expect("whole");
    let counts = follower.totals().values().next().expect("a creative");
    let expected = Counts {
        impressions: 5,
        clicks: 5,
        ..Counts::default()
    };
    assert_eq!(*counts, expected);
    let report = fixture.report().await;
    assert_eq!(report.log_position, 5);
    let hour = report.hours[0].counts.expect("counts");
    assert_eq!(Counts::from(hour), expected);
    let other = LogSigner::new(&Keys::one(b"a secret of another site, longer")).public_keys();
    assert!(fixture.follow_trusting(&other).await.is_err());
}

#[tokio::test]
async fn a_log_whose_keys_were_replaced_is_verified_with_each_of_them() {
    let fixture = Fixture::logged().await;
    fixture.report().await;
    let (_, old) = fixture.keys().await;
    let (first, second) = ("the key of every test's services", "s".repeat(32));
    let mut fixture = fixture;
    // An operator replaces `internal.key`: the new key is added, then signs, and finally remains alone.
    for (opportunity, keys) in (10..).zip([
        format!("{first}\n{second}"),
        format!("{second}\n{first}"),
        second.clone(),
    ]) {
        fixture = fixture.restarted(Keys::parse(&keys).expect("keys")).await;
        let ids = fixture.ids().await;
        let impression = event(&fixture, ids, (opportunity, EventKind::Impression, 500));
        fixture.record(vec![impression]).await;
        fixture.report().await;
    }
    let (keys, own) = fixture.keys().await;
    let used: Vec<_> = keys
        .iter()
        .map(|key| (key.position, key.public_key))
        .collect();
    assert_eq!(used, [(1, old[0]), (7, own[0])]);
    assert_eq!(keys[1].first_used_at, fixture.now());
    for trusted in [&old, &own] {
        let followed = fixture.follow_trusting(trusted).await.expect("whole");
        assert_eq!(followed.followed(), (8, 0));
    }
}

#[tokio::test]
async fn a_key_that_is_lost_is_replaced_without_a_handover_and_the_log_goes_on() {
    let fixture = Fixture::logged().await;
    fixture.report().await;
    let (_, old) = fixture.keys().await;
    let fixture = fixture.restarted(Keys::one(&[7; 32])).await;
    let ids = fixture.ids().await;
    let impression = event(&fixture, ids, (10, EventKind::Impression, 500));
    fixture.record(vec![impression]).await;
    fixture.report().await;
    assert_eq!(fixture.follow().await.expect("whole").followed(), (6, 0));
    let broken = fixture
        .follow_trusting(&old)
        .await
        .expect_err("not trusted");
    assert_eq!(broken.position, 6);
}

#[tokio::test]
async fn one_changed_byte_is_found_where_it_is() {
    let fixture = Fixture::logged().await;
    fixture.follow().await.expect("whole");
    let mut connection = fixture.parts.database.connection().await;
    for (tamper, heal, place) in [
        (
            "UPDATE ads.events SET position = 'leae' WHERE batch_id = (SELECT id FROM ads.batches WHERE position = 3)",
            "UPDATE ads.events SET position = 'lead'",
            3,
        ),
        (
            "UPDATE ads.batches SET digest = set_byte(digest, 0, get_byte(digest, 0) # 1) WHERE position = 2",
            "UPDATE ads.batches SET digest = set_byte(digest, 0, get_byte(digest, 0) # 1) WHERE position = 2",
            2,
        ),
        (
            "UPDATE ads.batches SET position = 40 WHERE position = 4",
            "UPDATE ads.batches SET position = 4 WHERE position = 40",
            5,
        ),
        (
            "UPDATE ads.log_keys SET public_key = set_byte(public_key, 0, get_byte(public_key, 0) # 1)",
            "UPDATE ads.log_keys SET public_key = set_byte(public_key, 0, get_byte(public_key, 0) # 1)",
            1,
        ),
        (
            "UPDATE ads.batches SET is_emptied = true, signature = '' WHERE position = 1",
            "",
            1,
        ),
    ] {
        let tampered = sqlx::query(tamper).execute(&mut connection).await;
        tampered.expect("tampers");
        let broken = fixture.follow().await.expect_err(tamper);
        assert_eq!(broken.position, place, "{tamper}");
        if !heal.is_empty() {
            let healed = sqlx::query(AssertSqlSafe(heal))
                .execute(&mut connection)
                .await;
            healed.expect("heals");
            fixture.follow().await.expect("whole again");
        }
    }
}

#[tokio::test]
async fn events_are_judged_and_linked_although_nobody_asks() {
    let fixture = Fixture::logged().await;
    let linked =
        "SELECT count(*) FROM ads.batches WHERE position IS NOT NULL AND signature IS NOT NULL";
    until("all batches are linked", async || {
        (fixture.parts.database.number(linked).await == 5).then_some(())
    })
    .await;
    let counted = "SELECT (SELECT sum(impressions + clicks)::bigint FROM ads.hourly)
        + (SELECT sum(impressions)::bigint FROM ads.deliveries)";
    assert_eq!(fixture.parts.database.number(counted).await, 15);
}

#[tokio::test]
async fn figures_that_are_asked_for_by_many_while_events_come_are_never_counted_twice() {
    let fixture = Fixture::with_goal(1_000).await;
    let ids = fixture.ids().await;
    let recording = async {
        for opportunity in 0..100 {
            let impression = event(&fixture, ids, (opportunity, EventKind::Impression, 500));
            fixture.record(vec![impression]).await;
        }
    };
    let asking = async || {
        let mut before = 0;
        while before < 100 {
            let report = fixture.report().await;
            let counts = report.campaign.expect("a campaign").line_items[0].counts;
            let now = counts.expect("counts").impressions;
            assert!((before..=100).contains(&now), "{now} after {before}");
            before = now;
        }
    };
    tokio::join!(recording, asking(), asking(), asking());
    let totals = fixture.follow().await.expect("whole");
    let counts = totals.totals().values().next().expect("a creative");
    assert_eq!(counts.impressions, 100);
}

#[tokio::test]
async fn a_process_that_knows_no_names_yet_judges_for_more_callers_than_it_has_connections() {
    let Fixture { parts, .. } = Fixture::logged().await;
    let fresh = Fixture::on(parts).await;
    let reports = futures::future::join_all((0..20).map(|_| fresh.report())).await;
    assert!(reports.iter().all(|report| report.log_position == 5));
}
