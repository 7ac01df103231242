//! Visitors' messages to the site: accepted once and mailed to the site.

use std::sync::Arc;

use async_trait::async_trait;
use chassis::{
    error::{Code, Fault},
    mail::{Letter, Mailer, Reply, Undelivered},
};
use chrono::TimeDelta;
use editorial_proto::v1::{ContactRequest, ContactResponse};
use testkit::{calls, parts::parts_on, until};

use crate::fixture::{Fixture, database};

fn message(subject: &str, attempt: &str) -> ContactRequest {
    ContactRequest {
        name: "Ada King".to_owned(),
        email: "ada@example.com".to_owned(),
        subject: subject.to_owned(),
        message: "Where is it?\r\nThere?".to_owned(),
        attempt: attempt.to_owned(),
    }
}

impl Fixture {
    async fn say(&self, message: ContactRequest) -> Result<ContactResponse, Fault> {
        let mut client = self.client.clone();
        Ok(client.contact(calls::guest(message)).await?.into_inner())
    }

    async fn mails(&self) -> i64 {
        let jobs = "SELECT count(*) FROM editorial.jobs";
        self.parts.database.number(jobs).await
    }
}

#[tokio::test]
async fn a_message_is_mailed_to_the_site_and_its_answer_goes_to_who_wrote_it() {
    let fixture = Fixture::new().await;
    let taken = fixture.say(message("A question", "")).await.expect("taken");
    assert_eq!(fixture.parts.letters(), [""; 0]);
    fixture.service.run().await;
    let letter = until("it is mailed", async || fixture.parts.letters().pop()).await;
    for line in [
        format!("Message-ID: <{}@guide.test>", taken.id),
        "From: \"City Guide\" <post@guide.test>".to_owned(),
        "To: editor@guide.test".to_owned(),
        "Reply-To: \"Ada King\" <ada@example.com>".to_owned(),
        "Subject: A question".to_owned(),
        "Where is it?\r\nThere?".to_owned(),
    ] {
        assert!(letter.contains(&format!("{line}\r\n")), "{line}: {letter}");
    }
    until("it is forgotten", async || {
        (fixture.mails().await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_repeat_with_a_key_is_one_message() {
    let fixture = Fixture::new().await;
    let tries = (0..20).map(|_| fixture.say(message("Hi", "key")));
    let answers = futures::future::join_all(tries).await;
    assert!(
        answers
            .iter()
            .all(|answer| answer.is_ok() && *answer == answers[0])
    );
    let other = fixture
        .say(message("Other", "key"))
        .await
        .expect_err("another message");
    assert_eq!(other.code, Code::Conflict);
    assert_eq!(fixture.mails().await, 1);
    for count in [2, 3] {
        fixture.say(message("Hi", "")).await.expect("taken");
        assert_eq!(
            fixture.mails().await,
            count,
            "without a key each is its own"
        );
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_message_is_told_by_field_and_nothing_is_mailed() {
    let fixture = Fixture::new().await;
    let empty = fixture
        .say(ContactRequest::default())
        .await
        .expect_err("refused");
    let fields: Vec<_> = empty
        .fields
        .iter()
        .map(|error| error.field.as_str())
        .collect();
    assert_eq!(fields, ["name", "subject", "message", "email"]);
    let injected = message("Hi\r\nBcc: victim@example.com", "");
    let refused = fixture.say(injected).await.expect_err("refused");
    assert_eq!(
        (refused.code, refused.fields[0].field.as_str()),
        (Code::Invalid, "subject")
    );
    assert_eq!(fixture.mails().await, 0);
}

/// An unavailable mail server.
struct Nowhere;

#[async_trait]
impl Mailer for Nowhere {
    async fn send(&self, _: &Letter) -> Result<Reply, Undelivered> {
        Err(Undelivered::Away("nobody is there".to_owned()))
    }
}

#[tokio::test]
async fn a_message_that_cannot_be_mailed_now_is_taken_and_kept() {
    let fixture = Fixture::on(parts_on(database().await).with_mailer(Arc::new(Nowhere))).await;
    fixture.service.run().await;
    fixture.say(message("Hi", "")).await.expect("taken");
    let tried = "SELECT count(*) FROM editorial.jobs WHERE last_error = 'nobody is there'";
    until("it is tried again", async || {
        fixture.parts.clock.advance(TimeDelta::seconds(2));
        (fixture.parts.database.number(tried).await == 1).then_some(())
    })
    .await;
    assert_eq!(fixture.mails().await, 1);
}
