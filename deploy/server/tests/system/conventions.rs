//! The conventions of the HTTP API, and hostile inputs.

use std::collections::HashSet;

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::app::{App, ORIGIN, answer};
use crate::site::{Site, journeys};

#[tokio::test]
async fn both_slash_forms_are_answered_alike() {
    let app = App::start().await;
    let browser = app.browser();
    for path in [
        "/api/v2/listings",
        "/api/v2/listings/1",
        "/api/v2/site",
        "/api/v2/profiles/status",
    ] {
        let without = browser.get(path).await;
        assert_eq!(without.status(), StatusCode::OK, "{path}");
        assert!(without.url().path().ends_with(path), "no redirect");
    }
    assert_eq!(
        browser.json("/api/v2/listings?limit=2").await["results"],
        browser.json("/api/v2/listings/?limit=2").await["results"]
    );
}

#[tokio::test]
async fn ids_that_cannot_be_are_not_found_and_never_a_defect() {
    let app = App::start().await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    for id in [
        "0",
        "-1",
        "9007199254740992",
        "9223372036854775808",
        "1%00",
        "abc",
        "1e3",
        "%2e%2e",
    ] {
        let path = format!("/api/v2/listings/{id}/");
        assert_eq!(
            browser.get(&path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
        let path = format!("/api/v2/favourites/{id}/");
        let status = browser.delete(&path).await.status();
        assert!(matches!(status.as_u16(), 404 | 405), "{path}: {status}");
    }
}

#[tokio::test]
async fn a_wrong_parameter_is_400_under_its_name() {
    let app = App::start().await;
    let browser = app.browser();
    let emoji = "%F0%9F%8D%9C".repeat(201);
    let long = "a".repeat(10_000);
    for (query, field) in [
        ("offset=-1", "offset"),
        ("offset=9000000000000000000", "offset"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=1&limit=2", "limit"),
        ("ordering=password_hash", "ordering"),
        ("ordering=name;drop", "ordering"),
        ("keywords=a%00b", "keywords"),
        (&format!("keywords={long}"), "keywords"),
        (&format!("keywords={emoji}"), "keywords"),
        ("type=nonsense", "type"),
        ("type=%00", "type"),
        ("neighbourhood=%27--", "neighbourhood"),
        ("is_closed=maybe", "is_closed"),
        ("ids=1,x", "ids"),
        ("after=xyz", "after"),
        ("offset=", "offset"),
    ] {
        let (status, body) = answer(browser.get(&format!("/api/v2/listings/?{query}")).await).await;
        assert_eq!(status, 400, "{query}: {body}");
        assert_eq!(body["code"], "invalid", "{query}: {body}");
        assert!(body[field].is_array(), "{query}: {body}");
    }
    for query in [
        "keywords=%25",
        "keywords=_",
        "keywords=%5C",
        "unknown=1&unknown=2",
        "type=",
    ] {
        let response = browser.get(&format!("/api/v2/listings/?{query}")).await;
        assert_eq!(response.status(), StatusCode::OK, "{query}");
    }
}

#[tokio::test]
async fn bodies_are_json_of_a_bounded_size_and_a_known_shape() {
    let app = App::start().await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    let send = async |content_type: &'static str, body: String| {
        let request = browser.request(Method::POST, "/api/v2/favourites/");
        answer(
            request
                .header(header::CONTENT_TYPE, content_type)
                .body(body)
                .send()
                .await
                .expect("answers"),
        )
        .await
    };
    for (content_type, body, expected) in [
        ("text/plain", "{}".to_owned(), 415),
        (
            "application/x-www-form-urlencoded",
            "listing=1".to_owned(),
            415,
        ),
        (
            "application/json",
            format!("{{\"x\": \"{}\"}}", "a".repeat(70_000)),
            413,
        ),
        ("application/json", "a".repeat(5_000_000), 413),
        ("application/json", String::new(), 400),
        ("application/json", "{".to_owned(), 400),
        ("application/json", "[]".to_owned(), 400),
        ("application/json", "null".to_owned(), 400),
        ("application/json", "[".repeat(10_000), 400),
        (
            "application/json",
            format!("{{\"listing\": {}", "[".repeat(10_000)),
            400,
        ),
        ("application/json", "{\"listing\": NaN}".to_owned(), 400),
        ("application/json", "{\"listing\": \"1\"}".to_owned(), 400),
        ("application/json", "{\"listing\": 1.5}".to_owned(), 400),
        ("application/json", "{\"listing\": null}".to_owned(), 400),
        ("application/json", "{\"listing\": -1}".to_owned(), 400),
        (
            "application/json",
            "{\"listing\": 9007199254740993}".to_owned(),
            400,
        ),
        (
            "application/json; charset=utf-8",
            "{\"listing\": 1, \"more\": []}".to_owned(),
            201,
        ),
    ] {
        let (status, answered) = send(content_type, body.clone()).await;
        let shown: String = body.chars().take(40).collect();
        assert_eq!(status, expected, "{content_type} {shown}: {answered}");
    }
}

#[tokio::test]
async fn a_write_from_another_site_is_refused_signed_in_or_not() {
    let app = App::start().await;
    let guest = app.browser();
    let reader = app.browser();
    reader.sign_up("ada@example.com").await;
    for browser in [&guest, &reader] {
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("origin", "https://guide.test"),
            ("sec-fetch-site", "cross-site"),
        ] {
            let request = browser
                .request(Method::POST, "/api/v2/favourites/")
                .header(name, value);
            let response = request
                .json(&json!({"listing": 1}))
                .send()
                .await
                .expect("answers");
            let (status, body) = answer(response).await;
            assert_eq!(
                (status, body["code"].as_str()),
                (403, Some("cross_site")),
                "{name}: {value}"
            );
        }
    }
    let own = reader
        .request(Method::POST, "/api/v2/favourites/")
        .header("origin", ORIGIN);
    let own = own
        .header("sec-fetch-site", "same-origin")
        .json(&json!({"listing": 1}));
    assert_eq!(
        own.send().await.expect("answers").status(),
        StatusCode::CREATED
    );
}

#[tokio::test]
async fn headers_cannot_make_somebody_else_of_a_guest() {
    let app = App::start().await;
    app.browser().sign_up("ada@example.com").await;
    let guest = app.browser();
    let request = guest
        .request(Method::GET, "/api/v2/profiles/status/")
        .header("x-profile-id", "1")
        .header("x-cityguide-caller", "1")
        .header("x-forwarded-user", "1")
        .header("cookie", "session=; session=nonsense; signed_in=1");
    let (status, body) = answer(request.send().await.expect("answers")).await;
    assert_eq!((status, &body["id"]), (200, &Value::Null));
    let overridden = guest
        .request(Method::GET, "/api/v2/favourites/")
        .header("x-http-method-override", "DELETE")
        .header("x-cityguide-caller", "eyJzdWIiOjF9.AAAA");
    assert_eq!(
        overridden.send().await.expect("answers").status(),
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn errors_have_one_form_and_a_problem_document_for_who_asks() {
    let app = App::start().await;
    let browser = app.browser();
    let (status, body) = answer(browser.get("/api/v2/nothing/").await).await;
    assert_eq!(
        (status, body),
        (404, json!({"code": "not_found", "detail": "Not found."}))
    );
    let wrong_method = browser
        .request(Method::PUT, "/api/v2/listings/")
        .send()
        .await;
    let (status, body) = answer(wrong_method.expect("answers")).await;
    let expected = json!({"code": "method_not_allowed", "detail": "Method not allowed."});
    assert_eq!((status, body), (405, expected));

    let request = browser.request(Method::GET, "/api/v2/listings/0/");
    let response = request
        .header("accept", "application/problem+json")
        .send()
        .await;
    let response = response.expect("answers");
    assert_eq!(
        response.headers()["content-type"],
        "application/problem+json"
    );
    let (status, body) = answer(response).await;
    let expected = json!({"code": "not_found", "detail": "Not found.", "type": "about:blank",
        "title": "Not Found", "status": 404});
    assert_eq!((status, body), (404, expected));
}

#[tokio::test]
async fn every_answer_has_an_id_of_ours_and_the_security_headers() {
    let app = App::start().await;
    let browser = app.browser();
    let mut ids = HashSet::new();
    // From the third request on, a cached response takes a shorter path.
    let kept = ["/api/v2/site/"; 3];
    for path in ["/", "/api/v2/nothing/", "/assets/index-0.js"]
        .into_iter()
        .chain(kept)
    {
        let request = browser
            .request(Method::GET, path)
            .header("x-request-id", "theirs");
        let response = request.send().await.expect("answers");
        let headers = response.headers();
        let id = headers["x-request-id"].clone();
        assert_eq!(id.len(), 36, "{path}");
        assert!(ids.insert(id), "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert!(headers.contains_key("content-security-policy"), "{path}");
        assert!(headers.contains_key("referrer-policy"), "{path}");
        assert_eq!(
            headers["cross-origin-opener-policy"], "same-origin",
            "{path}"
        );
        assert_eq!(
            headers["cross-origin-resource-policy"], "same-origin",
            "{path}"
        );
        assert!(headers.contains_key("permissions-policy"), "{path}");
    }
}

async fn a_public_answer_keeps_its_bytes_and_tag_through_every_gateway(site: &Site) {
    let (browser, elsewhere) = (site.browser(), site.browser());
    let first = browser.get("/api/v2/listings/?limit=3").await;
    let tag = first.headers()["etag"].clone();
    assert!(
        first.headers()["cache-control"]
            .to_str()
            .expect("text")
            .starts_with("public")
    );
    let first = first.text().await.expect("a body");
    for browser in [&browser, &elsewhere] {
        let again = browser.get("/api/v2/listings/?limit=3").await;
        assert_eq!(again.headers()["etag"], tag);
        assert_eq!(again.text().await.expect("a body"), first);
    }
    let request = browser.request(Method::GET, "/api/v2/listings/?limit=3");
    let known = request
        .header("if-none-match", &tag)
        .send()
        .await
        .expect("answers");
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    let other = browser.get("/api/v2/listings/?limit=4").await;
    assert_ne!(other.headers()["etag"], tag);
}

#[tokio::test]
async fn the_document_describes_what_is_served() {
    let app = App::start().await;
    let browser = app.browser();
    let answered = browser.get("/api/v2/openapi.json").await;
    let tag = answered.headers()["etag"].clone();
    let again = browser.request(Method::GET, "/api/v2/openapi.json");
    let again = again.header("if-none-match", tag).send().await;
    assert_eq!(again.expect("answers").status(), StatusCode::NOT_MODIFIED);
    let served: Value = answered.json().await.expect("JSON");
    let made = serde_json::to_value(cityguide::openapi()).expect("JSON");
    assert_eq!(served, made);
    assert_eq!(served["openapi"], "3.1.0");
    for (path, operations) in served["paths"].as_object().expect("paths") {
        for method in operations.as_object().expect("operations").keys() {
            let method: Method = method.to_uppercase().parse().expect("a method");
            let path = path.replace("{id}", "1");
            let request = browser.request(method.clone(), &path);
            let status = request.send().await.expect("answers").status();
            assert!(
                !matches!(status.as_u16(), 405 | 500),
                "{method} {path}: {status}"
            );
        }
    }
    let docs = browser.get("/api/v2/docs/").await;
    assert_eq!(docs.status(), StatusCode::OK);
}

#[tokio::test]
async fn probes_and_metrics_are_on_the_internal_port_alone() {
    let app = App::start().await;
    let browser = app.browser();
    for path in ["/health/live", "/health/ready", "/metrics"] {
        let inside = reqwest::get(app.internal(path)).await.expect("answers");
        assert_eq!(inside.status(), StatusCode::OK, "{path}");
        let outside = browser.get(path).await;
        assert_eq!(outside.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

journeys! {
    split too:
    a_public_answer_keeps_its_bytes_and_tag_through_every_gateway,
}
