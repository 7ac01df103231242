//! The queue of mail: what is committed is sent, whatever happens to the server; what it refuses stays.

use std::{sync::Arc, time::Duration};

use chassis::{
    clock::Clock,
    entropy::OsEntropy,
    lifecycle::Lifecycle,
    mail::{Mail, PostOffice, Security, Settings, SmtpMailer},
    postgres::{MailQueue, MailRelay, forget_refused, jobs::PeriodicJobs},
};
use chrono::TimeDelta;
use sqlx::{AssertSqlSafe, PgPool};
use testkit::{
    certificates::TestAuthority,
    parts::{TestParts, parts},
    smtp::{Offer, SmtpServer},
    until,
};

struct Bench {
    parts: TestParts,
    pool: PgPool,
    queue: MailQueue,
    server: SmtpServer,
    authority: TestAuthority,
    life: Lifecycle,
}

impl Bench {
    async fn new() -> Self {
        let parts = parts().await;
        let authority = TestAuthority::default();
        Self {
            pool: parts.database.schema("probe").await,
            queue: MailQueue::new(parts.clock.clone(), Arc::new(OsEntropy)),
            server: SmtpServer::start(Offer::Clear, &authority, None).await,
            authority,
            life: Lifecycle::new(),
            parts,
        }
    }

    fn relay(&self) {
        let address = self.server.address();
        let settings = Settings {
            from: "post@guide.example".to_owned(),
            host: address.ip().to_string(),
            port: address.port(),
            security: Security::None,
            ca: String::new(),
            user: String::new(),
            password: String::new(),
            folder: "unused".into(),
        };
        let office = PostOffice {
            from: "post@guide.example".parse().expect("an address"),
            mailer: Arc::new(SmtpMailer::new(&settings).expect("valid")),
            is_local: false,
        };
        let jobs = PeriodicJobs::new(self.pool.clone());
        MailRelay::new("probe", self.pool.clone(), office, &self.queue).start(&self.life, &jobs);
    }

    async fn queue(&self, subject: &str) -> uuid::Uuid {
        let mut transaction = self.pool.begin().await.expect("begins");
        let mail = Mail {
            kind: "test",
            to: "editor@guide.example".parse().expect("an address"),
            reply_to: None,
            subject: subject.to_owned(),
            text: "Words.".to_owned(),
        };
        let id = self
            .queue
            .append(&mut transaction, &mail)
            .await
            .expect("queued");
        self.queue.commit(transaction).await.expect("commits");
        id
    }

    async fn number(&self, what: &str) -> i64 {
        let statement = format!("SELECT count(*) FROM mails {what}");
        sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_one(&self.pool)
            .await
            .expect("counts")
    }

    fn arrived(&self, subject: &str) -> usize {
        let line = format!("Subject: {subject}\r\n");
        let received = self.server.received();
        received
            .iter()
            .filter(|one| one.content.contains(&line))
            .count()
    }

    async fn until_arrived(&self, subject: &str) {
        until(subject, async || (self.arrived(subject) > 0).then_some(())).await;
    }
}

#[tokio::test]
async fn what_is_committed_is_sent_once_and_forgotten_and_nothing_else_is() {
    let bench = Bench::new().await;
    let mut transaction = bench.pool.begin().await.expect("begins");
    let mail = Mail {
        kind: "test",
        to: "editor@guide.example".parse().expect("an address"),
        reply_to: Some("Ada King <ada@example.com>".parse().expect("an address")),
        subject: "Never".to_owned(),
        text: String::new(),
    };
    bench
        .queue
        .append(&mut transaction, &mail)
        .await
        .expect("queued");
    transaction.rollback().await.expect("rolled back");
    let id = bench.queue("First").await;
    // Whichever relay runs.
    for _ in 0..3 {
        bench.relay();
    }
    bench.until_arrived("First").await;
    for number in 0..20 {
        bench.queue(&format!("More {number}")).await;
    }
    until("all are sent", async || {
        (bench.number("").await == 0).then_some(())
    })
    .await;
    assert_eq!(bench.server.received().len(), 21);
    let content = &bench.server.received()[0].content;
    assert!(
        content.contains(&format!("Message-ID: <{id}@guide.example>\r\n")),
        "{content}"
    );
}

#[tokio::test]
async fn while_the_server_is_away_mail_waits_and_is_sent_once_it_is_back() {
    let mut bench = Bench::new().await;
    bench.server.stop();
    bench.relay();
    for number in 0..5 {
        bench.queue(&format!("Waiting {number}")).await;
    }
    let tried = "WHERE attempts > 0";
    until("one is tried", async || {
        (bench.number(tried).await > 0).then_some(())
    })
    .await;
    bench.server =
        SmtpServer::start_at(bench.server.address(), Offer::Clear, &bench.authority, None).await;
    bench.parts.clock.advance(TimeDelta::seconds(1));
    until("all are sent", async || {
        // A mail in the hands of nobody any more is free again.
        bench.parts.clock.advance(TimeDelta::seconds(1));
        (bench.number("").await == 0).then_some(())
    })
    .await;
    for number in 0..5 {
        assert_eq!(bench.arrived(&format!("Waiting {number}")), 1);
    }
}

#[tokio::test]
async fn a_mail_that_is_wanted_later_is_sent_later_and_holds_no_other_up() {
    let bench = Bench::new().await;
    bench.server.refuse_with(Some("451 4.7.1 greylisted"));
    bench.relay();
    bench.queue("Later").await;
    let tried = "WHERE attempts = 1 AND refused_at IS NULL";
    until("it is tried", async || {
        (bench.number(tried).await == 1).then_some(())
    })
    .await;
    // Until it was postponed.
    let due = "WHERE next_attempt_at = created_at + interval '1 minute'";
    until("it is postponed", async || {
        (bench.number(due).await == 1).then_some(())
    })
    .await;
    bench.server.refuse_with(None);
    bench.queue("Other").await;
    bench.until_arrived("Other").await;
    assert_eq!(bench.arrived("Later"), 0);
    bench.parts.clock.advance(TimeDelta::minutes(1));
    bench.until_arrived("Later").await;
}

#[tokio::test]
async fn a_mail_that_is_refused_for_good_is_kept_for_an_operator_for_30_days() {
    let bench = Bench::new().await;
    bench
        .server
        .refuse_with(Some("550 5.1.1 <editor@guide.example> is unknown"));
    bench.relay();
    bench.queue("Refused").await;
    let refused = "WHERE refusal LIKE '%is unknown%' AND refused_at IS NOT NULL";
    until("it is refused", async || {
        (bench.number(refused).await == 1).then_some(())
    })
    .await;
    bench.server.refuse_with(None);
    bench.queue("Other").await;
    bench.until_arrived("Other").await;
    bench
        .parts
        .clock
        .advance(TimeDelta::days(30) - TimeDelta::milliseconds(1));
    assert_eq!(
        forget_refused(&bench.pool, bench.parts.clock.now()).await,
        Ok(0)
    );
    assert_eq!(bench.arrived("Refused"), 0);
    bench.parts.clock.advance(TimeDelta::milliseconds(1));
    assert_eq!(
        forget_refused(&bench.pool, bench.parts.clock.now()).await,
        Ok(1)
    );
}

#[tokio::test]
async fn a_mail_whose_relay_died_is_sent_by_another() {
    let bench = Bench::new().await;
    let id = bench.queue("Orphan").await;
    // As a relay leaves it that was killed after it took the mail.
    sqlx::query(
        "UPDATE mails SET attempts = 1, next_attempt_at = created_at + interval '90 seconds'",
    )
    .execute(&bench.pool)
    .await
    .expect("taken");
    bench.relay();
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(bench.arrived("Orphan"), 0, "it is in somebody's hands");
    bench.parts.clock.advance(TimeDelta::seconds(90));
    bench.until_arrived("Orphan").await;
    assert!(bench.server.received()[0].content.contains(&id.to_string()));
}
