//! Messages to the site over HTTP, and their delivery.

use std::sync::Arc;

use chassis::{clock::SystemClock, mail::Security};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{
    certificates::TestAuthority,
    database::connect,
    letters,
    smtp::{Offer, SmtpServer},
    until,
};

use crate::{
    app::{App, Browser, answer},
    site::{Site, Split, journeys},
};

const PATH: &str = "/api/v2/contact/";

pub(crate) fn message(subject: &str) -> Value {
    json!({"name": "Ada King", "email": "ada@example.com", "subject": subject,
        "message": "Where is it?"})
}

/// Returns the emails with this subject.
fn about(site: &Site, subject: &str) -> Vec<String> {
    let line = format!("Subject: {subject}\r\n");
    let mut letters = letters::in_folder(&site.settings().mail.folder);
    letters.retain(|letter| letter.contains(&line));
    letters
}

async fn keyed(browser: &Browser, key: &str, body: &Value) -> (u16, Value) {
    let request = browser.request(Method::POST, PATH).json(body);
    let request = request.header("idempotency-key", key);
    answer(request.send().await.expect("answers")).await
}

async fn a_message_is_mailed_to_the_site(site: &Site) {
    let browser = site.browser();
    let (status, taken) = answer(browser.post(PATH, &message("Hello")).await).await;
    assert_eq!(status, 201, "{taken}");
    let fields: Vec<_> = taken.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["id", "date_created"]);
    let letter = until("it is mailed", async || about(site, "Hello").pop()).await;
    let id = taken["id"].as_str().expect("an id");
    for line in [
        format!("Message-ID: <{id}@localhost>"),
        "From: no-reply@localhost".to_owned(),
        "To: editor@localhost".to_owned(),
        "Reply-To: \"Ada King\" <ada@example.com>".to_owned(),
    ] {
        assert!(letter.contains(&format!("{line}\r\n")), "{line}: {letter}");
    }
}

async fn a_repeat_with_a_key_is_one_mail_whichever_gateway_is_asked(site: &Site) {
    let browsers = [site.browser(), site.browser()];
    let body = message("Once");
    let tries = (0..10).map(|number| keyed(&browsers[number % 2], "k", &body));
    let answers = futures::future::join_all(tries).await;
    assert!(
        answers.iter().all(|one| one.0 == 201 && *one == answers[0]),
        "{answers:?}"
    );
    let other = keyed(&browsers[1], "k", &message("Twice")).await;
    assert_eq!((other.0, &other.1["code"]), (409, &json!("conflict")));
    browsers[0].post(PATH, &message("Last")).await;
    until("all are mailed", async || about(site, "Last").pop()).await;
    assert_eq!(
        (about(site, "Once").len(), about(site, "Twice").len()),
        (1, 0)
    );
}

async fn what_is_wrong_with_a_message_is_told(site: &Site) {
    let browser = site.browser();
    let (status, body) = answer(browser.post(PATH, &json!({})).await).await;
    assert_eq!((status, &body["code"]), (400, &json!("invalid")));
    for field in ["name", "email", "subject", "message"] {
        assert!(body[field].is_array(), "{field}: {body}");
    }
    for (field, wrong) in [
        ("name", json!("Ada\r\nBcc: victim@example.com")),
        ("subject", json!("Hi\nBcc: victim@example.com")),
        ("email", json!("ada@example.com\r\nBcc: victim@example.com")),
        ("message", json!("a".repeat(10_001))),
        ("message", json!(["a"])),
    ] {
        let mut body = message("Hi");
        body[field] = wrong;
        let (status, said) = answer(browser.post(PATH, &body).await).await;
        assert_eq!((status, said[field].is_array()), (400, true), "{said}");
    }
    let form = browser.request(Method::POST, PATH).form(&[("name", "Ada")]);
    assert_eq!(form.send().await.expect("answers").status().as_u16(), 415);
    let mut large = message("Hi");
    large["message"] = json!("a".repeat(70_000));
    assert_eq!(browser.post(PATH, &large).await.status().as_u16(), 413);
    let elsewhere = browser.request(Method::POST, PATH).json(&message("Hi"));
    let elsewhere = elsewhere
        .header("sec-fetch-site", "cross-site")
        .send()
        .await;
    assert_eq!(elsewhere.expect("answers").status().as_u16(), 403);
    let (status, _) = keyed(&browser, "", &message("Hi")).await;
    assert_eq!(status, 400);
    assert_eq!(about(site, "Hi"), [""; 0]);
}

journeys! {
    a_message_is_mailed_to_the_site,
    what_is_wrong_with_a_message_is_told;
    split too:
    a_repeat_with_a_key_is_one_mail_whichever_gateway_is_asked,
}

/// Acknowledged messages are sent even after an outage of the mail server, from one process and from many.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_while_the_mail_server_was_away_arrives_once_it_is_back() {
    let authority = TestAuthority::default();
    let server = SmtpServer::start(Offer::Clear, &authority, None).await;
    let address = server.address();
    server.stop();
    let set = |settings: &mut cityguide::Settings| {
        settings.mail.host = address.ip().to_string();
        settings.mail.port = address.port();
        settings.mail.security = Security::None;
        settings.mail.from = "City Guide <post@guide.test>".to_owned();
        settings.contact.to = "editor@guide.test".to_owned();
    };
    let whole = App::start_with(Arc::new(SystemClock), set).await;
    let split = Split::start_with(set).await;
    for browser in [whole.browser(), split.browser()] {
        for number in 0..3 {
            let subject = format!("Waiting {number}");
            assert_eq!(
                browser
                    .post(PATH, &message(&subject))
                    .await
                    .status()
                    .as_u16(),
                201
            );
        }
    }
    for database in [&whole.settings.database.url, &split.database.url] {
        let mut connection = connect(database).await;
        until("an attempt fails", async || {
            let failed =
                sqlx::query("SELECT FROM editorial.jobs WHERE last_error IS NOT NULL LIMIT 1")
                    .fetch_optional(&mut connection)
                    .await;
            failed.expect("the queue of mail")
        })
        .await;
    }
    let server = SmtpServer::start_at(address, Offer::Clear, &authority, None).await;
    until("all arrive", async || {
        (server.received().len() >= 6).then_some(())
    })
    .await;
    let received = server.received();
    for number in 0..3 {
        let line = format!("Subject: Waiting {number}\r\n");
        let found = received.iter().filter(|one| one.content.contains(&line));
        assert_eq!(found.count(), 2);
    }
    let (from, to) = &received[0].envelope;
    assert_eq!(
        (from.as_str(), to.as_str()),
        ("post@guide.test", "editor@guide.test")
    );
}
