//! Newsletters over HTTP: guests confirm by email, links in emails act only on POST, and readers choose in their
//! profiles.

use chassis::clock::{Clock as _, SystemClock};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use testkit::{until, webhooks};

use crate::{
    app::{Browser, answer, registration},
    commands::run,
    letters::letter,
    site::{Site, journeys},
};

const ADA: &str = "ada@example.com";
const ME: &str = "/api/v2/profiles/me/";
/// The mail provider's `Authorization` header: "postmark:a password of the provider".
const PROVIDER: &str = "Basic cG9zdG1hcms6YSBwYXNzd29yZCBvZiB0aGUgcHJvdmlkZXI=";
const GUEST: &str = "/api/v2/profiles/guest-newsletters/";

/// The path of the newsletter page that an email links to.
async fn path(site: &Site, to: &str, subject: &str, page: &str) -> String {
    let letter = letter(site, to, subject).await;
    let start = format!("/newsletters/{page}/");
    let (_, after) = letter.split_once(&start).expect("a link");
    let (secret, _) = after.split_once('/').expect("a secret");
    format!("{start}{secret}/")
}

async fn html(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    (status, response.text().await.expect("a page"))
}

/// Presses a button on a page without scripts.
async fn press(browser: &Browser, path: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let request = browser.request(Method::POST, path).form(fields);
    html(request.send().await.expect("answers")).await
}

/// The newsletters that are on, according to the link in an email.
async fn on(browser: &Browser, preferences: &str) -> Vec<String> {
    let settings = browser.json(&format!("/api/v2{preferences}")).await;
    let settings = settings["newsletter_settings"]
        .as_object()
        .expect("settings");
    let on = settings.iter().filter(|(_, is_on)| **is_on == json!(true));
    on.map(|(name, _)| name.clone()).collect()
}

async fn a_guest_subscribes_and_the_links_of_the_mails_do_what_they_say(site: &Site) {
    let browser = site.browser();
    let form = json!({"email": ADA, "type": "foods", "news": true});
    let (status, asked) = answer(browser.post(GUEST, &form).await).await;
    assert_eq!(status, 200, "{asked}");
    assert_eq!(
        (&asked["foods"], &asked["promotions"]),
        (&json!(true), &json!(false))
    );

    let confirm = path(site, ADA, "Confirm your subscription", "confirm").await;
    for _ in 0..2 {
        let page = browser.get(&confirm).await;
        assert_eq!(page.headers()["cache-control"], "private, no-store");
        assert_eq!(page.headers()["referrer-policy"], "same-origin");
        let (status, page) = html(page).await;
        assert_eq!(status, 200);
        for text in ["a…@example.com", "Dished", "Top Stories", "noindex"] {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert!(!page.contains("<script"), "{page}");
    }
    let foreign = browser
        .request(Method::POST, &confirm)
        .form(&[("confirm", "1")]);
    let foreign = foreign.header("sec-fetch-site", "cross-site").send().await;
    assert_eq!(foreign.expect("answers").status(), 403);

    let (status, page) = press(&browser, &confirm, &[("confirm", "1")]).await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("You are subscribed"), "{page}");
    let (status, page) = press(&browser, &confirm, &[("confirm", "1")]).await;
    assert_eq!(status, 404);
    assert!(page.contains("does not work any more"), "{page}");

    let preferences = path(site, ADA, "Welcome to", "preferences").await;
    assert_eq!(on(&browser, &preferences).await, ["news", "foods"]);
    let (_, page) = html(browser.get(&preferences).await).await;
    assert!(page.contains("name=\"foods\" checked"), "{page}");
    let ticked = [("foods", "on"), ("travel", "on")];
    let (status, page) = press(&browser, &preferences, &ticked).await;
    assert_eq!(status, 200);
    assert!(page.contains("Your choice is saved."), "{page}");
    assert_eq!(on(&browser, &preferences).await, ["foods", "travel"]);
    one_click(&browser, &preferences).await;
}

/// A mail client ends a subscription, from another site and in both forms of RFC 8058.
async fn one_click(browser: &Browser, preferences: &str) {
    let unsubscribe = preferences.replace("preferences", "unsubscribe");
    let travel = format!("{unsubscribe}?kind=travel");
    let (status, page) = html(browser.get(&travel).await).await;
    assert_eq!(status, 200);
    assert!(page.contains("Travel"), "{page}");
    assert_eq!(
        on(browser, preferences).await,
        ["foods", "travel"],
        "looking changes nothing"
    );
    let request = browser
        .request(Method::POST, &travel)
        .header("sec-fetch-site", "cross-site");
    let request = request.form(&[("List-Unsubscribe", "One-Click")]);
    assert_eq!(request.send().await.expect("answers").status(), 200);
    assert_eq!(on(browser, preferences).await, ["foods"]);

    let body = "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
    let request = browser.request(Method::POST, &format!("/api/v2{unsubscribe}"));
    let request = request.header("content-type", "multipart/form-data; boundary=b");
    let request = request.header("origin", "https://mail.example").body(body);
    let (status, left) = answer(request.send().await.expect("answers")).await;
    assert_eq!(
        (status, &left["newsletter_settings"]["foods"]),
        (200, &json!(false))
    );
    let wrong = format!("{unsubscribe}?kind=weather");
    assert_eq!(press(browser, &wrong, &[]).await.0, 400);
    let invented = format!("/newsletters/unsubscribe/{}/", "a".repeat(43));
    assert_eq!(press(browser, &invented, &[]).await.0, 404);
}

async fn programs_do_with_json_what_the_pages_do(site: &Site) {
    let browser = site.browser();
    let ask = async |email: &str, kind: &str| {
        let form = json!({"email": email, "type": kind});
        assert_eq!(browser.post(GUEST, &form).await.status(), 200);
        format!(
            "/api/v2{}",
            path(site, email, "Confirm your subscription", "confirm").await
        )
    };
    let confirm = ask(ADA, "events").await;
    let shown = browser.json(&confirm).await;
    let expected = json!({"address": "a…@example.com", "newsletters": ["events"]});
    assert_eq!(shown, expected);
    let confirmed = answer(browser.post(&confirm, &json!({})).await).await;
    assert_eq!(confirmed, (200, expected));
    let page = path(site, ADA, "Welcome to", "preferences").await;
    let change = json!({"travel": true});
    let preferences = format!("/api/v2{page}");
    let (status, changed) = answer(browser.post(&preferences, &change).await).await;
    assert_eq!(status, 200, "{changed}");
    let settings = &changed["newsletter_settings"];
    assert_eq!(
        (&settings["travel"], &settings["events"]),
        (&json!(true), &json!(true))
    );
    let shown = browser
        .json(&preferences.replace("preferences", "unsubscribe"))
        .await;
    assert_eq!(shown, changed);

    // A form is accepted too, as a page without scripts sends it.
    let send = async |fields: &[(&str, &str)]| {
        let form = browser.request(Method::POST, &preferences).form(fields);
        answer(form.send().await.expect("answers")).await
    };
    let (status, changed) = send(&[("foods", "on"), ("travel", "false")]).await;
    assert_eq!(status, 200, "{changed}");
    let settings = &changed["newsletter_settings"];
    assert_eq!(
        (&settings["foods"], &settings["travel"], &settings["events"]),
        (&json!(true), &json!(false), &json!(true))
    );
    let (status, body) = send(&[("foods", "perhaps")]).await;
    assert_eq!(status, 400, "{body}");
    let text = json!({"foods": "true"});
    assert_eq!(browser.post(&preferences, &text).await.status(), 400);

    let other = ask("grace@example.com", "news").await;
    let refusal = json!({"refuse": true});
    assert_eq!(browser.post(&other, &refusal).await.status(), 204);
    assert_eq!(browser.post(&other, &refusal).await.status(), 404);
}

async fn the_answer_to_a_form_does_not_tell_who_has_subscribed(site: &Site) {
    let browser = site.browser();
    browser.sign_up(ADA).await;
    let mut answers = Vec::new();
    for email in [ADA, "nobody@example.com"] {
        let form = json!({"email": email, "all": true});
        answers.push(answer(browser.post(GUEST, &form).await).await);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0].0, 200);
    assert_eq!(answers[0].1["promotions"], json!(false), "never implied");
    for (form, field) in [
        (json!({"email": ADA, "type": "weather"}), "type"),
        (json!({"email": ADA}), "type"),
        (json!({"email": "ada", "type": "news"}), "email"),
        (json!({"type": "news"}), "email"),
    ] {
        let (status, body) = answer(browser.post(GUEST, &form).await).await;
        assert_eq!(status, 400, "{body}");
        assert!(body[field].is_array(), "{body}");
    }
}

async fn a_reader_chooses_in_the_profile_and_what_is_absent_stays(site: &Site) {
    let browser = site.browser();
    let mut form = registration(ADA);
    form["newsletter_settings"] = json!({"foods": true});
    let registered = browser.post("/api/v2/profiles/email-registration/", &form);
    assert_eq!(registered.await.status(), 201);
    let me = browser.json(ME).await;
    assert_eq!(me["newsletter_settings"]["foods"], json!(true), "{me}");
    assert_eq!(me["is_foods_category_newsletter_active"], json!(true));
    assert_eq!(me["is_news_category_newsletter_active"], json!(false));

    let change = json!({"newsletter_settings": {"news": true, "weather": true}});
    let (status, me) = answer(browser.patch(ME, &change).await).await;
    assert_eq!(status, 200, "{me}");
    let expected = json!({"news": true, "events": false, "foods": true, "contests": false, "real_estate": false,
        "travel": false, "photo_challenge_alerts": false, "promotions": false});
    assert_eq!(me["newsletter_settings"], expected);
    let wrong = json!({"newsletter_settings": {"news": "yes"}});
    assert_eq!(browser.patch(ME, &wrong).await.status(), 400);
    // Changes of read-only fields are ignored.
    let mirror = json!({"is_news_category_newsletter_active": false});
    let (_, me) = answer(browser.patch(ME, &mirror).await).await;
    assert_eq!(me["newsletter_settings"], expected);

    // Nothing is mailed before the address is confirmed. Then a welcome is mailed, and the evidence is stored.
    let token = crate::letters::link(site, ADA, "Confirm your email").await;
    let token = json!({"token": token});
    let confirmed = browser.post("/api/v2/profiles/confirm-email/", &token);
    assert_eq!(confirmed.await.status(), 200);
    letter(site, ADA, "Welcome to Top Stories and Dished").await;
    let shown = run(site.settings(), &["consent", "show", ADA]).await;
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    for text in [
        "given foods  by registration",
        "given news  by settings",
        "a reader who gets news, foods",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let verified = run(site.settings(), &["consent", "verify"]).await;
    assert!(verified.status.success(), "{verified:?}");
}

async fn guests_have_no_profile_whose_newsletters_could_change(site: &Site) {
    let change = json!({"newsletter_settings": {"news": true}});
    let (status, body) = answer(site.browser().patch(ME, &change).await).await;
    assert_eq!(
        (status, &body["code"]),
        (401, &Value::from("not_authenticated"))
    );
}

/// Immediately sends an issue that is written in a file; returns its number.
async fn print(site: &Site, name: &str, subject: &str) -> i64 {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("{name}.md"));
    let text = format!(
        "+++\nkind = \"contests\"\nsubject = \"{subject}\"\npreheader = \"Until Friday\"\n+++\n\nIt is *red*.\n"
    );
    std::fs::write(&file, text).expect("writes");
    let file = file.to_str().expect("a path");
    let shown = command(site, &["newsletter", "preview", file]).await;
    assert!(
        shown.starts_with(&format!("Subject: {subject}\n")),
        "{shown}"
    );
    let scheduled = command(site, &["newsletter", "schedule", file]).await;
    assert!(
        scheduled.contains(&format!("{name} is sent now")),
        "{scheduled}"
    );
    let (id, _) = scheduled.split_once(':').expect("a number");
    id.parse().expect("a number")
}

/// Sends an issue, so that there is one to read.
pub(crate) async fn publish(site: &Site) -> i64 {
    let id = print(site, "read-me", "Read me").await;
    until_sent(site, "read-me").await;
    id
}

async fn issues_can_be_read_by_everybody_without_anybodys_links(site: &Site) {
    let id = publish(site).await;
    let browser = site.browser();
    let (status, issue) = answer(
        browser
            .get(&format!("/api/v2/newsletters/issues/{id}/"))
            .await,
    )
    .await;
    assert_eq!(status, 200);
    assert_eq!(
        (&issue["kind"], &issue["title"], &issue["subject"]),
        (&json!("contests"), &json!("Contests"), &json!("Read me"))
    );
    let path = issue["share_url"].as_str().expect("a path");
    let page = browser.get(path).await;
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(
        policy.starts_with("default-src 'none'; img-src"),
        "{policy}"
    );
    let (status, page) = html(page).await;
    assert_eq!(status, 200);
    assert!(page.contains("It is <em>red</em>."), "{page}");
    // Below the site's header.
    assert!(
        page.contains("<header") && page.contains("<a href=\"/places/\""),
        "{page}"
    );
    assert!(
        !page.contains("unsubscribe") && !page.contains("<script"),
        "{page}"
    );
    let (status, all) = html(browser.get("/newsletters/issues/").await).await;
    assert_eq!(status, 200);
    assert!(all.contains(path) && all.contains("Read me"), "{all}");
    // An operator's issue has no counted links.
    for absent in [
        "/newsletters/issues/99999/",
        "/newsletters/issues/none/",
        "/newsletters/issues/99999/1/",
        &format!("{path}1/"),
        &format!("{path}none/"),
    ] {
        assert_eq!(browser.get(absent).await.status(), 404, "{absent}");
    }
    let wrong = browser.get("/newsletters/issues/?after=none").await;
    assert_eq!(wrong.status(), 400);
}

/// Returns the signature with which the reporting program signs a body.
pub(crate) fn signature(body: &str) -> String {
    webhooks::signature(crate::app::WEBHOOK_SECRET, SystemClock.now(), body)
}

async fn a_provider_reports_an_address_that_takes_no_mail(site: &Site) {
    let browser = site.browser();
    let report = async |password: &str| {
        let request = browser.request(Method::POST, "/api/v2/newsletters/webhooks/postmark/");
        let report = json!({"RecordType": "Bounce", "Type": "HardBounce", "Email": ADA});
        let request = request.header("authorization", password).json(&report);
        request.send().await.expect("answers").status().as_u16()
    };
    assert_eq!(report("Basic bm90OnRoZSBvbmU=").await, 403);
    let known = command(site, &["consent", "show", ADA]).await;
    assert!(!known.contains("takes no mail"), "{known}");
    assert_eq!(report(PROVIDER).await, 204);
    let known = command(site, &["consent", "show", ADA]).await;
    assert!(known.contains("takes no mail: it bounced"), "{known}");
    command(site, &["consent", "allow", ADA]).await;
    let known = command(site, &["consent", "show", ADA]).await;
    assert!(!known.contains("takes no mail"), "{known}");
}

/// Returns the output of a command.
async fn command(site: &Site, arguments: &[&str]) -> String {
    let output = run(site.settings(), arguments).await;
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

async fn until_sent(site: &Site, name: &str) {
    let wanted = format!("contests {name}  sent");
    until(&wanted, async || {
        let status = command(site, &["newsletter", "status"]).await;
        status.contains(&wanted).then_some(())
    })
    .await;
}

async fn an_issue_reaches_those_who_want_it_and_its_link_ends_it(site: &Site) {
    let browser = site.browser();
    let form = json!({"email": ADA, "type": "contests"});
    assert_eq!(browser.post(GUEST, &form).await.status(), 200);
    let confirm = path(site, ADA, "Confirm your subscription", "confirm").await;
    let (status, _) = press(&browser, &confirm, &[("confirm", "1")]).await;
    assert_eq!(status, 200);

    print(site, "win-a-canoe", "Win a canoe").await;
    let mail = letter(site, ADA, "Win a canoe").await;
    for text in [
        "It is <em>red</em>.",
        "It is *red*.",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    ] {
        assert!(mail.contains(text), "{text}: {mail}");
    }
    until_sent(site, "win-a-canoe").await;
    let fate = command(site, &["newsletter", "fate", ADA]).await;
    assert!(fate.contains("contests win-a-canoe  accepted"), "{fate}");

    // A mail client uses only the header.
    let (_, header) = mail.split_once("List-Unsubscribe: <").expect("a header");
    let (link, _) = header.split_once('>').expect("a link");
    let link = link.replace("\r\n ", "");
    let at = link.find("/newsletters/").expect("a page");
    let left = press(&browser, &link[at..], &[("List-Unsubscribe", "One-Click")]).await;
    assert_eq!(left.0, 200, "{}", left.1);
    print(site, "win-a-kayak", "Win a kayak").await;
    until_sent(site, "win-a-kayak").await;
    let fate = command(site, &["newsletter", "fate", ADA]).await;
    assert!(!fate.contains("kayak"), "{fate}");
    let folder = &site.settings().mail.folder;
    let letters = testkit::letters::in_folder(folder);
    assert!(!letters.iter().any(|one| one.contains("Win a kayak")));
}

journeys! {
    a_provider_reports_an_address_that_takes_no_mail,
    issues_can_be_read_by_everybody_without_anybodys_links,
    a_guest_subscribes_and_the_links_of_the_mails_do_what_they_say,
    programs_do_with_json_what_the_pages_do,
    the_answer_to_a_form_does_not_tell_who_has_subscribed,
    a_reader_chooses_in_the_profile_and_what_is_absent_stays,
    guests_have_no_profile_whose_newsletters_could_change;
    split too:
    an_issue_reaches_those_who_want_it_and_its_link_ends_it,
}
