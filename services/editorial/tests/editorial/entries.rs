//! Entries to contests: one for each address, within the contest's times, and deleted after the retention period.

use chassis::{
    entropy::{OsEntropy, uuid},
    error::{Code, Fault},
};
use chrono::TimeDelta;
use cityguide_proto::readers::v1::EraseRequest;
use editorial_proto::v1::{
    EnterContestRequest, EnterContestResponse, ImportItem, Kind, item::Detail,
    readers_client::ReadersClient,
};
use testkit::{calls, until, within_hours};

use crate::fixture::{Fixture, article, contest, utc};

/// A fixture with a contest, whose clock is set to an instant, and the contest's id.
async fn bench_at(now: &str) -> (Fixture, i64) {
    let fixture = Fixture::new().await;
    let clock = &fixture.parts.clock;
    clock.advance(utc(now) - chassis::clock::Clock::now(clock.as_ref()));
    fixture.import([canoe()]).await;
    let id = fixture.only(Kind::Contest).await.id;
    (fixture, id)
}

fn canoe() -> ImportItem {
    contest("Canoe", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z")
}

fn entry(contest_id: i64, email: &str) -> EnterContestRequest {
    EnterContestRequest {
        contest_id,
        full_name: "Ada King".to_owned(),
        email: email.to_owned(),
        answer: "The Don".to_owned(),
        accepts_rules: true,
        attempt: String::new(),
    }
}

impl Fixture {
    async fn enter(&self, entry: EnterContestRequest) -> Result<EnterContestResponse, Fault> {
        let mut client = self.client.clone();
        let answer = client.enter_contest(calls::guest(entry)).await?;
        Ok(answer.into_inner())
    }

    /// The number of letters about entries to an address, after all jobs have run.
    async fn confirmations(&self, to: &str) -> usize {
        let queued = "SELECT count(*) FROM editorial.jobs";
        until("no mail waits", async || {
            (self.parts.database.number(queued).await == 0).then_some(())
        })
        .await;
        let to = format!("To: {to}\r\n");
        let letters = self.parts.letters().into_iter();
        letters
            .filter(|letter| letter.contains(&to) && letter.contains("Subject: Your entry: Canoe"))
            .count()
    }

    async fn entries(&self) -> i64 {
        let entries = "SELECT count(*) FROM editorial.contest_entries";
        self.parts.database.number(entries).await
    }
}

#[tokio::test]
async fn an_address_enters_once_however_it_is_written() {
    let (fixture, id) = bench_at("2026-11-01T12:00:00Z").await;
    fixture.service.run().await;
    for email in ["Ada@Example.com", " ada@example.COM ", "bob@example.com"] {
        fixture.enter(entry(id, email)).await.expect("taken");
    }
    assert_eq!(fixture.entries().await, 2);
    assert_eq!(fixture.confirmations("Ada@Example.com").await, 1);
    assert_eq!(fixture.confirmations("bob@example.com").await, 1);
}

#[tokio::test]
async fn an_entry_that_is_made_again_is_reported_to_its_address_once_a_day() {
    let fixture = Fixture::new().await;
    fixture.service.run().await;
    let now = chassis::clock::Clock::now(fixture.parts.clock.as_ref());
    let at = |days| (now + TimeDelta::days(days)).to_rfc3339();
    fixture.import([contest("Canoe", &at(-1), &at(9))]).await;
    let id = fixture.only(Kind::Contest).await.id;
    for (hours, letters) in [(0, 1), (23, 1), (1, 2), (23, 2), (1, 3)] {
        fixture.parts.clock.advance(TimeDelta::hours(hours));
        for _ in 0..3 {
            let again = fixture.enter(entry(id, "ada@example.com")).await;
            again.expect("taken");
        }
        let found = fixture.confirmations("ada@example.com").await;
        assert_eq!(found, letters, "{hours} hours later");
    }
    let letters = fixture.parts.letters();
    let again = letters
        .iter()
        .filter(|letter| letter.contains("The first entry"));
    assert_eq!(again.count(), 2);
    assert!(!letters.iter().any(|letter| letter.contains("Ada King")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_20_parallel_entries_of_an_address_one_is_made() {
    let (fixture, id) = bench_at("2026-11-01T12:00:00Z").await;
    for attempt in ["", "a key"] {
        let email = format!("ada{}@example.com", attempt.len());
        let request = EnterContestRequest {
            attempt: attempt.to_owned(),
            ..entry(id, &email)
        };
        let tries = (0..20).map(|_| fixture.enter(request.clone()));
        for answer in futures::future::join_all(tries).await {
            answer.expect("answers");
        }
    }
    assert_eq!(fixture.entries().await, 2);
}

#[tokio::test]
async fn a_contest_takes_entries_from_its_opening_until_its_closing_and_says_so() {
    let (fixture, id) = bench_at("2026-11-01T03:59:59.999Z").await;
    let clock = &fixture.parts.clock;
    let refused = async |email: &str| {
        let fault = fixture.enter(entry(id, email)).await.expect_err("refused");
        assert_eq!(fault.code, Code::Invalid);
        (
            fault.fields[0].field.clone(),
            fault.fields[0].message.clone(),
        )
    };
    let has_closed = async || {
        let detail = fixture.get(Kind::Contest, id, false).await.expect("there");
        let Some(Detail::Contest(contest)) = detail.item.expect("an item").detail else {
            panic!("a contest");
        };
        assert_eq!(
            fixture.only(Kind::Contest).await.detail,
            Some(Detail::Contest(contest.clone()))
        );
        contest.has_closed
    };
    let early = "This contest has not opened yet.".to_owned();
    assert_eq!(
        refused("a@example.com").await,
        ("non_field_errors".to_owned(), early)
    );
    clock.advance(TimeDelta::milliseconds(1));
    fixture
        .enter(entry(id, "a@example.com"))
        .await
        .expect("it has opened");
    clock.advance(utc("2026-11-02T04:59:59.999Z") - utc("2026-11-01T04:00:00Z"));
    assert!(!has_closed().await);
    let last = EnterContestRequest {
        attempt: "key".to_owned(),
        ..entry(id, "b@example.com")
    };
    let made = fixture.enter(last.clone()).await.expect("it is still open");
    clock.advance(TimeDelta::milliseconds(1));
    assert!(has_closed().await);
    let late = "This contest has closed.".to_owned();
    assert_eq!(
        refused("c@example.com").await,
        ("non_field_errors".to_owned(), late)
    );
    // A visitor who did not receive the response in time can repeat the call.
    assert_eq!(fixture.enter(last).await, Ok(made));
}

#[tokio::test]
async fn a_key_goes_with_one_body_and_a_refused_try_leaves_it_free() {
    let (fixture, id) = bench_at("2026-11-01T12:00:00Z").await;
    let keyed = |email: &str| EnterContestRequest {
        attempt: "key".to_owned(),
        ..entry(id, email)
    };
    let wrong = fixture.enter(keyed("nobody")).await.expect_err("refused");
    assert_eq!(wrong.fields[0].field, "email");
    let made = fixture
        .enter(keyed("ada@example.com"))
        .await
        .expect("entered");
    let other = fixture
        .enter(keyed("bob@example.com"))
        .await
        .expect_err("another body");
    assert_eq!(other.code, Code::Conflict);
    assert_eq!(fixture.enter(keyed("ada@example.com")).await, Ok(made));
    assert_eq!(fixture.entries().await, 1);
}

#[tokio::test]
async fn a_reader_who_leaves_takes_entries_along_and_the_mails_that_wait() {
    let (fixture, id) = bench_at("2026-11-01T12:00:00Z").await;
    for email in ["Ada@example.com", "bob@example.com"] {
        fixture.enter(entry(id, email)).await.expect("taken");
    }
    let erasure = calls::operator(EraseRequest {
        erasure_id: uuid(&OsEntropy).to_string(),
        profile_id: 7,
        verified_email: "ada@example.com".to_owned(),
        requested: Some(chassis::instant::to_proto(utc("2026-11-01T12:00:00Z"))),
        email: "ada@example.com".to_owned(),
    });
    let mut readers = ReadersClient::new(fixture.service.transport());
    readers.erase(erasure).await.expect("erases");
    assert_eq!(fixture.entries().await, 1);
    let mails = "SELECT count(*) FROM editorial.jobs WHERE payload ->> 'to' = 'bob@example.com'";
    assert_eq!(fixture.parts.database.number(mails).await, 1);
    let all = "SELECT count(*) FROM editorial.jobs";
    assert_eq!(fixture.parts.database.number(all).await, 1);
}

#[tokio::test]
async fn only_contests_that_are_published_can_be_entered() {
    let (fixture, id) = bench_at("2026-11-01T12:00:00Z").await;
    fixture.import([article("Bridges", "news", 5)]).await;
    let article = fixture.only(Kind::Article).await.id;
    for other in [0, id + 1_000, article, i64::MAX] {
        let missing = fixture.enter(entry(other, "ada@example.com")).await;
        assert_eq!(
            missing.expect_err("no contest").code,
            Code::NotFound,
            "{other}"
        );
    }
    let gone = ImportItem {
        unpublished_at: Some(chassis::instant::to_proto(utc("2026-11-01T12:00:00Z"))),
        ..canoe()
    };
    fixture.import([gone]).await;
    let missing = fixture.enter(entry(id, "ada@example.com")).await;
    assert_eq!(missing.expect_err("it is gone").code, Code::NotFound);
}

#[tokio::test]
async fn entries_are_forgotten_90_days_after_their_contest_has_closed() {
    let (fixture, canoe) = bench_at("2026-11-01T12:00:00Z").await;
    let sled = contest("Sled", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00.001Z");
    fixture.import([sled]).await;
    let sled = fixture.resolve("/contests/sled/").await.expect("there").id;
    for contest in [canoe, sled] {
        let entry = entry(contest, "ada@example.com");
        fixture.enter(entry).await.expect("entered");
    }
    fixture.service.run().await;
    assert_eq!(fixture.entries().await, 2);
    let clock = &fixture.parts.clock;
    let now = chassis::clock::Clock::now(clock.as_ref());
    clock.advance(utc("2026-11-02T05:00:00Z") + TimeDelta::days(90) - now);
    within_hours("the older one is forgotten", async || {
        (fixture.entries().await == 1).then_some(())
    })
    .await;
    let left = "SELECT contest_id FROM editorial.contest_entries";
    assert_eq!(fixture.parts.database.number(left).await, sled);
}
