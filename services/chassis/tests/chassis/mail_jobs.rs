//! Emails as durable jobs: committed emails are sent even after failures of the server; refused emails are kept.

use std::{num::NonZeroU16, sync::Arc};

use chassis::{
    entropy::OsEntropy,
    lifecycle::Lifecycle,
    mail::{self, DkimSettings, Mail, PostOffice, Security, Settings, SmtpMailer},
    postgres::jobs::{JobQueue, Runner},
};
use chrono::TimeDelta;
use sqlx::{AssertSqlSafe, PgPool};
use testkit::{
    certificates::TestAuthority,
    parts::{TestParts, parts},
    smtp::{Offer, SmtpServer},
    until,
};

struct Fixture {
    parts: TestParts,
    pool: PgPool,
    queue: JobQueue,
    server: SmtpServer,
    authority: TestAuthority,
    life: Lifecycle,
}

impl Fixture {
    async fn new() -> Self {
        let parts = parts().await;
        let authority = TestAuthority::default();
        Self {
            pool: parts.database.schema("probe").await,
            queue: JobQueue::new(parts.clock.clone(), Arc::new(OsEntropy)),
            server: SmtpServer::start(Offer::Clear, &authority, None).await,
            authority,
            life: Lifecycle::new(),
            parts,
        }
    }

    fn worker(&self, connections: u16) {
        let address = self.server.address();
        let settings = Settings {
            from: "post@guide.example".to_owned(),
            host: address.ip().to_string(),
            port: address.port(),
            security: Security::None,
            ca: String::new(),
            user: String::new(),
            password: String::new(),
            connections: NonZeroU16::new(connections).expect("not 0"),
            folder: "unused".into(),
            dkim: DkimSettings::default(),
        };
        let office = PostOffice {
            from: "post@guide.example".parse().expect("an address"),
            mailer: Arc::new(SmtpMailer::new(&settings).expect("valid")),
            is_local: false,
            connections: connections.into(),
            signer: None,
        };
        let policy = mail::policy(&office);
        let send = move |run, letter| mail::send_queued(office.clone(), run, letter);
        Runner::new("probe", self.pool.clone(), &self.queue, policy, send).start(&self.life);
    }

    async fn queue(&self, subject: &str) -> uuid::Uuid {
        self.queue_to("editor@guide.example", subject).await
    }

    async fn queue_to(&self, to: &str, subject: &str) -> uuid::Uuid {
        let mut transaction = self.pool.begin().await.expect("begins");
        let mail = Mail {
            about: "test".to_owned(),
            to: to.parse().expect("an address"),
            reply_to: None,
            return_path: None,
            subject: subject.to_owned(),
            text: "Words.".to_owned(),
            html: None,
            headers: Vec::new(),
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
        let statement = format!("SELECT count(*) FROM jobs {what}");
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
    let fixture = Fixture::new().await;
    let mut transaction = fixture.pool.begin().await.expect("begins");
    let mail = Mail {
        about: "test".to_owned(),
        to: "editor@guide.example".parse().expect("an address"),
        reply_to: Some("Ada King <ada@example.com>".parse().expect("an address")),
        return_path: None,
        subject: "Never".to_owned(),
        text: String::new(),
        html: None,
        headers: Vec::new(),
    };
    fixture
        .queue
        .append(&mut transaction, &mail)
        .await
        .expect("queued");
    transaction.rollback().await.expect("rolled back");
    let id = fixture.queue("First").await;
    // The result does not depend on the process that runs the job.
    for _ in 0..3 {
        fixture.worker(1);
    }
    fixture.until_arrived("First").await;
    for number in 0..20 {
        fixture.queue(&format!("More {number}")).await;
    }
    until("all are sent", async || {
        (fixture.number("").await == 0).then_some(())
    })
    .await;
    assert_eq!(fixture.server.received().len(), 21);
    let content = &fixture.server.received()[0].content;
    assert!(
        content.contains(&format!("Message-ID: <{id}@guide.example>\r\n")),
        "{content}"
    );
}

#[tokio::test]
async fn while_the_server_is_away_mail_waits_and_is_sent_once_it_is_back() {
    let mut fixture = Fixture::new().await;
    fixture.server.stop();
    fixture.worker(1);
    for number in 0..5 {
        fixture.queue(&format!("Waiting {number}")).await;
    }
    let tried = "WHERE last_error IS NOT NULL";
    until("one is tried", async || {
        (fixture.number(tried).await > 0).then_some(())
    })
    .await;
    fixture.server = SmtpServer::start_at(
        fixture.server.address(),
        Offer::Clear,
        &fixture.authority,
        None,
    )
    .await;
    fixture.parts.clock.advance(TimeDelta::seconds(1));
    until("all are sent", async || {
        // An email without a lease is available again.
        fixture.parts.clock.advance(TimeDelta::seconds(1));
        (fixture.number("").await == 0).then_some(())
    })
    .await;
    for number in 0..5 {
        assert_eq!(fixture.arrived(&format!("Waiting {number}")), 1);
    }
}

#[tokio::test]
async fn a_mail_that_is_wanted_later_is_sent_later_and_holds_no_other_up() {
    let fixture = Fixture::new().await;
    fixture.server.refuse_with(Some("451 4.7.1 greylisted"));
    fixture.worker(1);
    fixture.queue("Later").await;
    let tried = "WHERE attempts = 1 AND dead_at IS NULL";
    until("it is tried", async || {
        (fixture.number(tried).await == 1).then_some(())
    })
    .await;
    // The first failure postpones the email by a minute.
    let due = "WHERE due_at = created_at + interval '1 minute'";
    until("it is postponed", async || {
        (fixture.number(due).await == 1).then_some(())
    })
    .await;
    fixture.server.refuse_with(None);
    fixture.queue("Other").await;
    fixture.until_arrived("Other").await;
    assert_eq!(fixture.arrived("Later"), 0);
    fixture.parts.clock.advance(TimeDelta::minutes(1));
    fixture.until_arrived("Later").await;
}

#[tokio::test]
async fn a_mail_that_is_refused_for_good_is_dead_at_once_and_keeps_the_words_of_the_server() {
    let fixture = Fixture::new().await;
    fixture
        .server
        .refuse_with(Some("550 5.1.1 <editor@guide.example> is unknown"));
    fixture.worker(1);
    fixture.queue("Refused").await;
    let refused = "WHERE last_error LIKE '%is unknown%' AND dead_at IS NOT NULL AND attempts = 1";
    until("it is refused", async || {
        (fixture.number(refused).await == 1).then_some(())
    })
    .await;
    fixture.server.refuse_with(None);
    fixture.queue("Other").await;
    fixture.until_arrived("Other").await;
    assert_eq!(fixture.arrived("Refused"), 0);
}

#[tokio::test]
async fn ten_refused_recipients_delay_no_other_mail() {
    let fixture = Fixture::new().await;
    fixture
        .server
        .refuse_recipients_with(Some("501 5.1.3 bad address"));
    for number in 0..10 {
        fixture.queue(&format!("Refused {number}")).await;
    }
    fixture.worker(1);
    until("all are dead", async || {
        let dead = "WHERE dead_at IS NOT NULL AND attempts = 1";
        (fixture.number(dead).await == 10).then_some(())
    })
    .await;
    fixture.server.refuse_recipients_with(None);
    fixture.queue("Other").await;
    fixture.until_arrived("Other").await;
    assert_eq!(fixture.server.received().len(), 1);
}

#[tokio::test]
async fn a_domain_whose_recipients_get_no_reply_delays_no_other() {
    let fixture = Fixture::new().await;
    fixture.server.be_silent_for("slow.example");
    for number in 0..10 {
        let to = format!("reader{number}@slow.example");
        fixture.queue_to(&to, "Slow").await;
    }
    fixture.worker(4);
    until("a letter waits for its reply", async || {
        (fixture.server.greetings() >= 2).then_some(())
    })
    .await;
    for number in 0..20 {
        let to = format!("reader{number}@other.example");
        fixture.queue_to(&to, "Other").await;
    }
    until("the others arrive", async || {
        (fixture.arrived("Other") == 20).then_some(())
    })
    .await;
    assert_eq!(fixture.number("WHERE attempts > 1").await, 0);
}

#[tokio::test]
async fn letters_for_which_the_server_closes_the_connection_delay_no_other() {
    let fixture = Fixture::new().await;
    fixture.server.close_for("closed.example");
    for number in 0..10 {
        let to = format!("reader{number}@closed.example");
        fixture.queue_to(&to, "Closed").await;
        fixture.queue_to("reader@other.example", "Other").await;
    }
    fixture.worker(1);
    // The clock does not advance, so that no pause after an outage would end.
    until("the others arrive", async || {
        (fixture.arrived("Other") == 10).then_some(())
    })
    .await;
    until("the attempts count", async || {
        let failed = "WHERE dead_at IS NULL AND attempts = 1 AND due_at > created_at";
        (fixture.number(failed).await == 10).then_some(())
    })
    .await;
}
