//! Hostile inputs, sent to every parameter and every field of a body that the document lists: each gets the documented
//! answer and changes nothing. A new operation is tested too.

mod attacks;
mod target;

use futures::{StreamExt, stream};
use reqwest::{Method, header};
use serde_json::{Value, json};

use self::{
    attacks::{TEXTS, Takes, attacks, encoded},
    target::Target,
};
use crate::{
    answers::{READER, request},
    app::{PASSWORD, answer},
    document::DOCUMENT,
};

/// The number of operations tested concurrently: more would only wait for each other and for passwords to be hashed.
const AT_A_TIME: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn every_call_answers_hostile_inputs_as_documented_and_changes_nothing() {
    let target = &Target::set_up().await;
    target.ranked().await;
    let before = target.settled().await;
    let (number, wrong) = stream::iter(&DOCUMENT.operations)
        .map(async |operation| {
            let attacks = attacks(target, operation);
            let number = attacks.len();
            let mut wrong = Vec::new();
            for attack in attacks {
                wrong.extend(attack.run(&target.reader, operation).await);
            }
            (number, wrong)
        })
        .buffer_unordered(AT_A_TIME)
        .fold((0, Vec::new()), async |(sum, mut all), (number, wrong)| {
            all.extend(wrong);
            (sum + number, all)
        })
        .await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(number > 2_000, "{number}");
    assert_eq!(target.settled().await, before);
    // The comparison of the stored data detects a successful write.
    let favourite = json!({"listing": 2});
    let saved = target.reader.post("/api/v2/favourites/", &favourite).await;
    assert_eq!(saved.status(), 201);
    assert_ne!(target.settled().await, before);
}

/// Texts that every search takes, which would match everything or nothing if they were part of a pattern.
const LITERAL: [&str; 4] = ["%", "_", "\\", "\u{1f35c}"];

#[tokio::test]
async fn what_is_allowed_is_taken_literally() {
    let target = Target::set_up().await;
    let reader = &target.reader;
    let mut lists = 0;
    for operation in &DOCUMENT.operations {
        if !operation
            .inputs
            .iter()
            .any(|input| input.name == "keywords")
        {
            continue;
        }
        lists += 1;
        let path = target.city.address(operation);
        let all = reader.json(&path).await;
        assert_ne!(all["results"], json!([]), "{path}");
        for text in LITERAL {
            let found = reader
                .json(&format!("{path}?keywords={}", encoded(text)))
                .await;
            assert_eq!(found["results"], json!([]), "{path} {text}");
        }
    }
    assert!(lists > 10, "{lists}");

    let names = TEXTS.iter().filter(|text| Takes::Line(255).accepts(text));
    for name in names {
        let change = json!({"full_name": name});
        let (status, changed) = answer(reader.patch("/api/v2/profiles/me/", &change).await).await;
        // All white space becomes single spaces.
        let kept = name.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!((status, &changed["full_name"]), (200, &json!(kept)));
    }

    let page = reader
        .get(&format!(
            "/restaurants/?keywords={}",
            encoded("</script><b>")
        ))
        .await;
    assert_eq!(page.status(), 200);
    let page = page.text().await.expect("a body");
    assert!(
        page.contains("</html>") && !page.contains("</script><b>"),
        "{page}"
    );
}

#[tokio::test]
async fn a_login_leads_to_no_other_site_and_fails_by_no_intent() {
    let target = Target::set_up().await;
    let browser = target.site.browser();
    let login = async |intent: Value| {
        let mut body = json!({"email": READER, "password": PASSWORD});
        body.as_object_mut()
            .expect("an object")
            .extend(intent.as_object().expect("an object").clone());
        let response = browser.post("/api/v2/profiles/email-login/", &body).await;
        let cookies = response.headers().get_all(header::SET_COOKIE).iter();
        assert!(
            cookies
                .into_iter()
                .all(|cookie| !cookie.as_bytes().starts_with(b"a=")),
            "{body}"
        );
        let (status, said) = answer(response).await;
        assert_eq!(status, 200, "{body}: {said}");
        said["redirect_url"].as_str().expect("a path").to_owned()
    };
    let saved = reader_maps(&target).await;
    for next in [
        "//e",
        "/\\e",
        "https:e",
        "%2f%2fe",
        "/%2fe",
        "javascript:alert(1)",
        "/a\r\nSet-Cookie: a=b",
        "/\0",
    ] {
        assert_eq!(login(json!({"next": next})).await, "/", "{next}");
    }
    for intent in [
        json!({"next": [], "post_authenticate_action": {}, "object_id": [], "rating": true}),
        json!({"post_authenticate_action": "favourite", "object_id": "9223372036854775808"}),
        json!({"post_authenticate_action": "favourite", "object_id": -1}),
        json!({"post_authenticate_action": "rating", "object_id": 2, "rating": 6}),
        json!({"post_authenticate_action": "password_hash", "object_id": 2}),
        json!({"post_authenticate_action": "</script>\u{2028}", "object_id": "1\0"}),
    ] {
        let path = login(intent.clone()).await;
        assert!(path == "/" || path.starts_with("/?"), "{intent}: {path}");
        assert!(!path.contains(['<', '\0', '\u{2028}']), "{intent}: {path}");
    }
    assert_eq!(reader_maps(&target).await, saved);
}

/// The reader's saved things of each kind.
async fn reader_maps(target: &Target) -> Vec<Value> {
    let mut maps = Vec::new();
    for operation in &DOCUMENT.operations {
        if operation.path.ends_with("_ids/") {
            maps.push(target.reader.json(&operation.path).await["results"].clone());
        }
    }
    assert_eq!(maps.len(), 6);
    maps
}

/// Headers that a proxy or a framework may believe, and that any client can send.
const FORGED: [(&str, &str); 13] = [
    ("x-forwarded-for", "203.0.113.9, 127.0.0.1"),
    ("x-forwarded-host", "evil.example"),
    ("x-forwarded-proto", "https"),
    ("x-forwarded-user", "1"),
    ("forwarded", "for=203.0.113.9;host=evil.example;proto=https"),
    ("x-real-ip", "203.0.113.9"),
    ("x-original-url", "/api/v2/profiles/me/"),
    ("x-rewrite-url", "/api/v2/profiles/me/"),
    ("x-http-method-override", "DELETE"),
    ("x-http-method", "DELETE"),
    ("x-method-override", "DELETE"),
    ("x-profile-id", "1"),
    (
        "x-cityguide-caller",
        "eyJzdWIiOjEsImV4cCI6OTk5OTk5OTk5OTl9.AAAA",
    ),
];

#[tokio::test]
async fn headers_that_a_client_makes_up_change_no_answer_and_nothing_else() {
    let target = Target::set_up().await;
    let guest = target.site.browser();
    let before = target.settled().await;
    for operation in &DOCUMENT.operations {
        // Writes that guests may make would succeed.
        if operation.method != Method::GET && !operation.answers(401) {
            continue;
        }
        for browser in [&guest, &target.reader] {
            let is_reader = std::ptr::eq(browser, &raw const target.reader);
            if is_reader && operation.method != Method::GET {
                continue;
            }
            let path = target.path(operation);
            let ask = async |forged: &[(&'static str, &'static str)]| {
                let mut request = request(browser, operation, &path);
                for (name, value) in forged {
                    request = request.header(name, *value);
                }
                request.send().await.expect("answers")
            };
            let (plain, forged) = (ask(&[]).await, ask(&FORGED).await);
            let what = format!("{} {path}", operation.method);
            assert_eq!(forged.status(), plain.status(), "{what}");
            if !is_reader && operation.answers(401) {
                assert_eq!(forged.status(), 401, "{what}");
            }
            if operation.answers(304) {
                let (plain, forged) = (plain.text().await, forged.text().await);
                assert_eq!(forged.expect("a body"), plain.expect("a body"), "{what}");
            }
        }
    }
    assert_eq!(target.settled().await, before);
}
