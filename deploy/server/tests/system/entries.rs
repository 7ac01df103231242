//! Entering contests over HTTP.

use chassis::{
    clock::{Clock, SystemClock},
    instant,
};
use chrono::TimeDelta;
use editorial_proto::v1::{Contest, ImportItem, Kind, import_item::Detail};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    app::{Browser, answer},
    items::{id_at, item, publish},
    letters,
    site::{Site, journeys},
};

/// A contest that is open for some hours around now, shifted by `hours`.
fn contest(slug: &str, hours: i64) -> ImportItem {
    let now = SystemClock.now() + TimeDelta::hours(hours);
    let at = |hours| Some(instant::to_proto(now + TimeDelta::hours(hours)));
    ImportItem {
        detail: Some(Detail::Contest(Contest {
            opens_at: at(-1),
            closes_at: at(1),
            question: "Which river?".to_owned(),
            ..Contest::default()
        })),
        ..item(Kind::Contest, "", slug, 1)
    }
}

/// Publishes an open contest; returns the path of its entries.
pub(crate) async fn open(site: &Site) -> String {
    publish(site.settings(), vec![contest("canoe", 0)]).await;
    let id = id_at(&site.browser(), "/contests/canoe/").await;
    format!("/api/v2/contests/{id}/entries/")
}

pub(crate) fn entry(email: &str) -> Value {
    json!({"full_name": "Grace Hopper", "email": email, "answer": "The Don", "accepts_rules": true})
}

/// Sends an entry under an Idempotency-Key.
async fn keyed(browser: &Browser, path: &str, key: &str, body: &Value) -> (u16, Value) {
    let request = browser.request(Method::POST, path).json(body);
    let request = request.header("idempotency-key", key);
    answer(request.send().await.expect("answers")).await
}

async fn an_address_enters_a_contest_once_and_no_answer_tells_of_it(site: &Site) {
    let path = open(site).await;
    let browsers = [site.browser(), site.browser()];
    let contest = path.trim_end_matches("entries/");
    let id = contest.trim_end_matches('/').rsplit('/').next();
    let id: i64 = id.and_then(|id| id.parse().ok()).expect("an id");
    let first = answer(browsers[0].post(&path, &entry("Ada@Example.com")).await).await;
    assert_eq!(first, (202, json!({"contest": id})));
    // A repeated entry has the same response, with or without a session, at either gateway.
    browsers[1].sign_up("reader@example.com").await;
    for browser in &browsers {
        let again = answer(browser.post(&path, &entry("ada@example.com ")).await).await;
        assert_eq!(again, first);
    }
    letters::letter(site, "Ada@Example.com", "Your entry").await;
    for path in [contest, "/api/v2/contests/"] {
        let text = browsers[0].get(path).await.text().await.expect("a body");
        assert!(
            !text.contains("Grace") && !text.contains("example.com"),
            "{text}"
        );
    }
    // Entries cannot be listed.
    assert_eq!(browsers[1].get(&path).await.status().as_u16(), 405);
}

async fn what_is_wrong_with_an_entry_is_told_by_field(site: &Site) {
    let path = open(site).await;
    let browser = site.browser();
    let (status, body) = answer(browser.post(&path, &json!({})).await).await;
    assert_eq!((status, &body["code"]), (400, &json!("invalid")));
    for field in ["full_name", "email", "answer", "accepts_rules"] {
        assert!(body[field].is_array(), "{field}: {body}");
    }
    let long = format!("{}@example.com", "a".repeat(244));
    for (field, wrong) in [
        ("email", json!(long)),
        ("email", json!("ada@example.com\r\nBcc: x@y.z")),
        ("full_name", json!("a".repeat(256))),
        ("answer", json!("a".repeat(1_001))),
        ("accepts_rules", json!(false)),
        ("accepts_rules", json!("yes")),
        ("email", json!(7)),
    ] {
        let mut body = entry("ada@example.com");
        body[field] = wrong;
        let (status, said) = answer(browser.post(&path, &body).await).await;
        assert_eq!(status, 400, "{body}");
        let others = said.as_object().expect("an object").keys();
        let others: Vec<_> = others.filter(|key| *key != "code").collect();
        assert_eq!(others, [field], "{said}");
    }
    publish(
        site.settings(),
        vec![contest("early", 5), contest("late", -5)],
    )
    .await;
    for (slug, message) in [("early", "has not opened yet"), ("late", "has closed")] {
        let id = id_at(&browser, &format!("/contests/{slug}/")).await;
        let path = format!("/api/v2/contests/{id}/entries/");
        let (status, body) = answer(browser.post(&path, &entry("ada@example.com")).await).await;
        assert_eq!(status, 400);
        let said = format!("This contest {message}.");
        assert_eq!(body, json!({"code": "invalid", "non_field_errors": [said]}));
    }
    for id in ["0", "9007199254740991", "x", "1%00"] {
        let path = format!("/api/v2/contests/{id}/entries/");
        let missing = browser.post(&path, &entry("ada@example.com")).await;
        assert_eq!(missing.status().as_u16(), 404, "{id}");
    }
}

async fn what_is_no_entry_at_all_is_refused(site: &Site) {
    let path = open(site).await;
    let browser = site.browser();
    let form = browser
        .request(Method::POST, &path)
        .form(&[("full_name", "Ada")]);
    assert_eq!(form.send().await.expect("answers").status().as_u16(), 415);
    let mut large = entry("ada@example.com");
    large["answer"] = json!("a".repeat(70_000));
    assert_eq!(browser.post(&path, &large).await.status().as_u16(), 413);
    let elsewhere = browser
        .request(Method::POST, &path)
        .json(&entry("ada@example.com"));
    let elsewhere = elsewhere.header("origin", "https://elsewhere.example");
    assert_eq!(
        elsewhere.send().await.expect("answers").status().as_u16(),
        403
    );
    for key in ["", "a b", &"k".repeat(256)] {
        let (status, body) = keyed(&browser, &path, key, &entry("ada@example.com")).await;
        assert_eq!(
            (status, &body["code"]),
            (400, &json!("parse_error")),
            "{key:?}"
        );
    }
    let (status, _) = answer(browser.post(&path, &entry("ada@example.com")).await).await;
    assert_eq!(status, 202);
}

async fn a_repeat_with_a_key_is_answered_as_the_first_was_by_every_gateway(site: &Site) {
    let path = open(site).await;
    let browsers = [site.browser(), site.browser()];
    let body = entry("ada@example.com");
    let tries = (0..20).map(|number| keyed(&browsers[number % 2], &path, "k-1", &body));
    let answers = futures::future::join_all(tries).await;
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
    assert_eq!(answers[0].0, 202);
    let other = keyed(&browsers[1], &path, "k-1", &entry("bob@example.com")).await;
    assert_eq!((other.0, &other.1["code"]), (409, &json!("conflict")));
    // An Idempotency-Key belongs to its session.
    browsers[1].sign_up("reader@example.com").await;
    let own = keyed(&browsers[1], &path, "k-1", &entry("bob@example.com")).await;
    assert_eq!(own.0, 202);
    let known = keyed(&browsers[0], &path, "k-2", &body).await;
    assert_eq!(known, answers[0]);
}

journeys! {
    an_address_enters_a_contest_once_and_no_answer_tells_of_it,
    what_is_wrong_with_an_entry_is_told_by_field,
    what_is_no_entry_at_all_is_refused;
    split too:
    a_repeat_with_a_key_is_answered_as_the_first_was_by_every_gateway,
}
