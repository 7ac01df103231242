//! Readers' photos over HTTP: uploads, their addresses, the editors' review, and the photos that others see.

use cityguide::Settings;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use testkit::{picture, until};

use crate::{
    app::{Browser, answer},
    commands::{output_of, run},
    letters::link,
    request::Request,
    site::{Site, journeys},
};

pub(crate) const PHOTOS: &str = "/api/v2/photos/";
pub(crate) const OWN: &str = "/api/v2/photos/me";
const BOUNDARY: &str = "a-boundary-of-the-tests";

/// The body of an upload.
pub(crate) struct Form(Vec<u8>);

/// A form with these texts, followed by a file.
pub(crate) fn form(texts: &[(&str, &str)], file: &[u8]) -> Form {
    form_with(texts, ("image", "a.jpg"), file)
}

/// Like [`form`], with the given field and file name.
pub(crate) fn form_with(texts: &[(&str, &str)], (field, name): (&str, &str), file: &[u8]) -> Form {
    let mut body = Vec::new();
    for (name, text) in texts {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n"
        );
        body.extend(head.into_bytes());
    }
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
         content-type: application/octet-stream\r\n\r\n"
    );
    body.extend(head.into_bytes());
    body.extend_from_slice(file);
    body.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
    Form(body)
}

impl Form {
    fn kind() -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }

    pub(crate) fn send_with(self, request: Request) -> Request {
        request
            .header(header::CONTENT_TYPE, Self::kind())
            .body(self.0)
    }

    /// The form's type and body.
    pub(crate) fn into_parts(self) -> (String, Vec<u8>) {
        (Self::kind(), self.0)
    }

    /// The form's type and text, if the file is text.
    pub(crate) fn text(self) -> (String, String) {
        (Self::kind(), String::from_utf8(self.0).expect("text"))
    }

    /// The form's type and its beginning.
    pub(crate) fn begun(self) -> (String, String) {
        let (kind, text) = self.text();
        let end = text.len() / 2;
        (kind, text[..end].to_owned())
    }
}

/// Uploads a picture of a place.
pub(crate) async fn upload(browser: &Browser, listing: i64, seed: u8) -> (u16, Value) {
    let file = picture::jpeg(640, 480, seed);
    send(browser, &[("listing", &listing.to_string())], &file).await
}

async fn send(browser: &Browser, texts: &[(&str, &str)], file: &[u8]) -> (u16, Value) {
    let request = browser.request(Method::POST, PHOTOS);
    let request = form(texts, file).send_with(request);
    answer(request.send().await.expect("answers")).await
}

/// Has a new reader upload a photo of a place, which an operator accepts; returns its id.
pub(crate) async fn publish(site: &Site, listing: i64) -> i64 {
    let browser = site.browser();
    browser.sign_up("photographer@example.com").await;
    let (status, made) = upload(&browser, listing, 1).await;
    assert_eq!(status, 201, "{made}");
    let id = made["id"].as_i64().expect("an id");
    review(site.settings(), &["accept", &id.to_string()]).await;
    id
}

/// Runs `cityguide photos review`; returns its output.
async fn review(settings: &Settings, arguments: &[&str]) -> String {
    let output = run(settings, &[&["photos", "review"], arguments].concat()).await;
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Waits until everybody sees this number of published photos of a place.
async fn published(browser: &Browser, listing: i64, count: usize) -> Value {
    let path = format!("{PHOTOS}?listing={listing}");
    until("the list follows", async || {
        let page = browser.json(&path).await;
        let photos = page["results"].as_array().expect("a list");
        let is_so = photos.len() == count && page["count"] == count;
        is_so.then(|| page.clone())
    })
    .await
}

async fn an_upload_waits_is_accepted_and_is_seen_by_everybody(site: &Site) {
    let (ada, guest) = (site.browser(), site.browser());
    ada.sign_up("ada@example.com").await;
    assert_eq!(published(&guest, 7, 0).await["next"], Value::Null);
    let texts = [
        ("listing", "7"),
        ("description", "The patio at noon"),
        ("credit", "Ada K."),
        ("licence", "CC-BY-4.0"),
    ];
    let file = picture::jpeg(900, 600, 3);
    let (status, made) = send(&ada, &texts, &file).await;
    assert_eq!(
        (status, &made["status"]),
        (201, &json!("waiting")),
        "{made}"
    );
    let (status, again) = send(&ada, &texts, &file).await;
    assert_eq!((status, &again["id"]), (200, &made["id"]), "{again}");
    let id = made["id"].to_string();
    let own = ada.json(OWN).await;
    assert_eq!(
        (&own["count"], &own["results"][0]["id"]),
        (&json!(1), &made["id"])
    );
    let dashboard = ada.json("/api/v2/profiles/me/dashboard/").await;
    assert_eq!(dashboard["photos"], 1);
    let address = format!("{PHOTOS}{id}/");
    assert_eq!(guest.get(&address).await.status(), StatusCode::NOT_FOUND);

    let settings = site.settings();
    let listed = review(settings, &["list"]).await;
    let line = format!("{id}: new-reader by Ada King");
    assert!(
        listed.contains(&line) && listed.contains("The patio at noon"),
        "{listed}"
    );
    assert!(
        review(settings, &["accept", &id])
            .await
            .contains("published")
    );
    let page = published(&guest, 7, 1).await;
    let photo = &page["results"][0];
    assert_eq!((&photo["index"], &photo["total"]), (&json!(1), &json!(1)));
    assert_eq!(photo["profile"]["full_name"], "Ada King");
    assert_eq!(
        (&photo["credit"], &photo["licence"]),
        (&json!("Ada K."), &json!("CC-BY-4.0"))
    );
    let share = photo["share_path"].as_str().expect("a path");
    assert!(share.ends_with(&format!("/photos/{id}")), "{share}");
    assert!(photo.get("status").is_none() && photo.get("reason").is_none());
    until("the photo itself follows", async || {
        let found = guest.get(&address).await;
        (found.status() == 200).then_some(())
    })
    .await;
    let place = guest.json("/api/v2/listings/7/?include=photos").await;
    assert_eq!(place["photos"]["results"][0]["id"], made["id"]);

    let name = json!({"full_name": "Ada Lovelace"});
    ada.patch("/api/v2/profiles/me/", &name).await;
    until("her new name stands beside it", async || {
        let photo = guest.json(&address).await;
        (photo["profile"]["full_name"] == "Ada Lovelace").then_some(())
    })
    .await;

    let bob = site.browser();
    bob.sign_up("bob@example.com").await;
    assert_eq!(bob.delete(&address).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(ada.delete(&address).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(ada.delete(&address).await.status(), StatusCode::NOT_FOUND);
    published(&guest, 7, 0).await;
    assert_eq!(ada.json(OWN).await["results"], json!([]));
    until("its files are gone", async || {
        let gone = guest
            .get(photo["whole_url"].as_str().expect("an address"))
            .await;
        (gone.status() == StatusCode::NOT_FOUND).then_some(())
    })
    .await;
}

async fn a_picture_is_served_to_its_signed_address_alone(site: &Site) {
    let id = publish(site, 8).await;
    let guest = site.browser();
    let photo = guest.json(&format!("{PHOTOS}{id}/")).await;
    let ask = async |path: &str, accept: &str| {
        let request = guest.request(Method::GET, path);
        request
            .header("accept", accept)
            .send()
            .await
            .expect("answers")
    };
    for (field, most) in [
        ("prism_image_url", 610),
        ("thumbnail_url", 300),
        ("whole_url", 1600),
    ] {
        let address = photo[field].as_str().expect("an address");
        for (accept, kind) in [("image/webp,*/*", "image/webp"), ("*/*", "image/jpeg")] {
            let found = ask(address, accept).await;
            let headers = found.headers().clone();
            assert_eq!(found.status(), StatusCode::OK, "{field}");
            assert_eq!(headers["content-type"], kind);
            assert_eq!(headers["vary"], "accept");
            assert_eq!(headers["cache-control"], "public, max-age=3600");
            let body = found.bytes().await.expect("a body");
            assert!(
                body.len() > 500 && body.len() < most * most,
                "{}",
                body.len()
            );
            let request = guest.request(Method::GET, address).header("accept", accept);
            let again = request
                .header("if-none-match", &headers["etag"])
                .send()
                .await;
            assert_eq!(again.expect("answers").status(), StatusCode::NOT_MODIFIED);
            let request = guest.request(Method::GET, address).header("accept", accept);
            let part = request
                .header("range", "bytes=0-9")
                .send()
                .await
                .expect("answers");
            assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
            assert_eq!(part.bytes().await.expect("a body"), body[..10]);
        }
    }
    let address = photo["prism_image_url"].as_str().expect("an address");
    for forged in [
        address.replace("610x610", "300x300"),
        address.replace("610x610", "6000x6000"),
        format!("{}AAAA", &address[..address.len() - 4]),
        address.replace("/media/photos/", "/media/photos/0"),
    ] {
        let refused = ask(&forged, "*/*").await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{forged}");
    }
}

async fn a_refused_photo_tells_its_uploader_why_and_reports_hide_one(site: &Site) {
    let (ada, guest, settings) = (site.browser(), site.browser(), site.settings());
    ada.sign_up("ada@example.com").await;
    let token = link(site, "ada@example.com", "Confirm your email").await;
    let token = json!({"token": token});
    ada.post("/api/v2/profiles/confirm-email/", &token).await;
    let (_, made) = upload(&ada, 7, 1).await;
    let id = made["id"].to_string();
    let reason = "It shows another place.";
    review(settings, &["refuse", &id, "--reason", reason]).await;
    let own = ada.json(OWN).await;
    assert_eq!(own["results"][0]["status"], "refused");
    assert_eq!(own["results"][0]["reason"], reason);
    until("she is mailed", async || {
        let mails = testkit::letters::in_folder(&settings.mail.folder);
        let mut mails = mails.iter();
        mails.any(|mail| mail.contains(reason)).then_some(())
    })
    .await;
    review(settings, &["accept", &id]).await;
    published(&guest, 7, 1).await;

    let report = json!({"reason": "not-this-place", "comment": "Look at the sign."});
    let path = format!("{PHOTOS}{id}/report/");
    for name in ["bob", "cleo", "dan"] {
        let reader = site.browser();
        reader.sign_up(&format!("{name}@example.com")).await;
        assert_eq!(
            reader.post(&path, &report).await.status(),
            StatusCode::NO_CONTENT
        );
        assert_ne!(
            reader
                .post(&path, &json!({"reason": "ugly"}))
                .await
                .status(),
            204
        );
    }
    published(&guest, 7, 0).await;
    let shown = review(settings, &["show", &id]).await;
    assert_eq!(shown.matches("Look at the sign.").count(), 3, "{shown}");
    assert!(
        shown.contains("hidden") && !shown.contains("bob"),
        "{shown}"
    );
    assert_eq!(ada.json(OWN).await["results"][0]["status"], "waiting");

    let profile = ada.json("/api/v2/profiles/me/").await["id"].to_string();
    let banned = review(settings, &["ban", &profile, "--reason", "Not hers."]).await;
    assert!(banned.contains("1 photos refused"), "{banned}");
    let (status, refused) = upload(&ada, 7, 2).await;
    assert_eq!(
        (status, &refused["code"]),
        (403, &json!("forbidden")),
        "{refused}"
    );
    let allowed = review(settings, &["allow", &profile, "--reason", "A mistake."]).await;
    assert!(allowed.contains("may upload again"), "{allowed}");
    assert_eq!(upload(&ada, 7, 2).await.0, 201);
    let unknown = run(settings, &["photos", "review", "accept", "999"]).await;
    assert!(output_of(&unknown).contains("Not found"));
}

async fn an_avatar_is_the_readers_own_and_stands_beside_their_photos(site: &Site) {
    const AVATAR: &str = "/api/v2/profiles/me/avatar/";
    let ada = site.browser();
    let send = async |file: &[u8]| {
        let request = form(&[], file).send_with(ada.request(Method::POST, AVATAR));
        answer(request.send().await.expect("answers")).await
    };
    let file = picture::jpeg(300, 200, 1);
    assert_eq!(send(&file).await.0, 401);
    ada.sign_up("photographer@example.com").await;
    let mine = async || ada.json("/api/v2/profiles/me/").await["avatar_url"].clone();
    assert_eq!(mine().await, Value::Null);
    let (status, made) = send(&file).await;
    assert_eq!(
        (status, &made["is_processing"]),
        (200, &json!(false)),
        "{made}"
    );
    assert_eq!(mine().await, made["avatar_url"]);
    let address = made["avatar_url"].as_str().expect("an address");
    let served = site.browser().get(address).await;
    assert_eq!(served.headers()["content-type"], "image/jpeg");
    let name = json!({"full_name": "Ada Lovelace"});
    let (_, renamed) = answer(ada.patch("/api/v2/profiles/me/", &name).await).await;
    assert_eq!(renamed["avatar_url"], made["avatar_url"]);

    let (_, photo) = upload(&ada, 8, 2).await;
    let id = photo["id"].to_string();
    review(site.settings(), &["accept", &id]).await;
    let path = format!("{PHOTOS}{id}/");
    let beside = async |expected: &Value| {
        until("the photo's answer follows", async || {
            let photo = site.browser().get(&path).await;
            let is_there = photo.status() == StatusCode::OK;
            let (_, photo) = answer(photo).await;
            (is_there && photo["profile"]["avatar_url"] == *expected).then_some(())
        })
        .await;
    };
    beside(&made["avatar_url"]).await;
    let (status, refused) = send(b"text").await;
    assert_eq!(status, 400);
    assert!(refused["image"][0].is_string(), "{refused}");
    let profile = ada.json("/api/v2/profiles/me/").await["id"].to_string();
    let why = ["--reason", "Not a person."];
    let output_of = review(
        site.settings(),
        &[&["remove-avatar", &profile][..], &why].concat(),
    )
    .await;
    assert!(output_of.contains("has no picture"), "{output_of}");
    beside(&Value::Null).await;
    for _ in 0..2 {
        assert_eq!(ada.delete(AVATAR).await.status(), StatusCode::NO_CONTENT);
    }
    until("its files are gone", async || {
        // A gateway may keep the requested JPEG in memory for a minute.
        let request = ada.request(Method::GET, address);
        let gone = request.header("accept", "image/webp").send().await;
        (gone.expect("answers").status() == StatusCode::NOT_FOUND).then_some(())
    })
    .await;
}

async fn a_key_stands_for_one_upload(site: &Site) {
    let ada = site.browser();
    ada.sign_up("ada@example.com").await;
    let send = async |texts: &[(&str, &str)], file: &[u8]| {
        let request = ada.request(Method::POST, PHOTOS);
        let request = request.header("idempotency-key", "a-morning-walk");
        let request = form(texts, file).send_with(request);
        answer(request.send().await.expect("answers")).await
    };
    let texts = [("listing", "7"), ("description", "The patio")];
    let [file, other] = [1, 2].map(|seed| picture::jpeg(640, 480, seed));
    let (status, made) = send(&texts, &file).await;
    assert_eq!(status, 201, "{made}");
    let (status, again) = send(&texts, &file).await;
    assert_eq!((status, &again["id"]), (201, &made["id"]), "{again}");
    // Another photo is never mistaken for a repeat, which would lose it.
    for (texts, file) in [(&texts[..], &other), (&texts[..1], &file)] {
        let (status, refused) = send(texts, file).await;
        assert_eq!(
            (status, &refused["code"]),
            (409, &json!("conflict")),
            "{refused}"
        );
    }
    assert_eq!(ada.json(OWN).await["count"], 1);

    let path = format!("{PHOTOS}{}/", made["id"]);
    assert_eq!(ada.delete(&path).await.status(), 204);
    let (status, again) = send(&texts, &file).await;
    assert_eq!((status, &again["id"]), (201, &made["id"]), "{again}");
    assert_eq!(again["description"], "The patio");
    assert_eq!(ada.json(OWN).await["count"], 0);
}

async fn what_is_no_photo_is_refused_under_its_field(site: &Site) {
    let ada = site.browser();
    let (status, _) = upload(&ada, 7, 1).await;
    assert_eq!(status, 401);
    ada.sign_up("ada@example.com").await;
    let jpeg = picture::jpeg(300, 200, 1);
    for (texts, file, field, words) in [
        (
            &[("listing", "7")][..],
            &b"text"[..],
            "image",
            "not a picture",
        ),
        (
            &[("listing", "7")],
            &jpeg[..2_000],
            "image",
            "ends too early",
        ),
        (&[("listing", "7")], b"", "image", "empty"),
        (&[("listing", "x")], &jpeg, "listing", "valid integer"),
        (&[], &jpeg, "listing", "valid integer"),
        (&[("listing", "9999")], &jpeg, "listing", "does not exist"),
        (
            &[("listing", "7"), ("licence", "MIT")],
            &jpeg,
            "licence",
            "not a valid choice",
        ),
    ] {
        let (status, refused) = send(&ada, texts, file).await;
        assert_eq!(status, 400, "{refused}");
        let message = refused[field][0].as_str().unwrap_or_default();
        assert!(message.contains(words), "{field}: {refused}");
    }
    assert_eq!(ada.json(OWN).await["count"], 0);
}

journeys! {
    a_picture_is_served_to_its_signed_address_alone,
    a_refused_photo_tells_its_uploader_why_and_reports_hide_one,
    an_avatar_is_the_readers_own_and_stands_beside_their_photos,
    a_key_stands_for_one_upload,
    what_is_no_photo_is_refused_under_its_field;
    split too:
    an_upload_waits_is_accepted_and_is_seen_by_everybody,
}
