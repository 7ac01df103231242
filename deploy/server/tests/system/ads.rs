//! Ads on pages, from an operator's folder to the log that proves their delivery.

use std::{fs, path::Path, time::Duration};

use ad_delivery::{Preview, Previews, Ticket, Tickets};
use chassis::{clock::Clock as _, keys::Keys};
use chrono::TimeDelta;
use cityguide::Settings;
use reqwest::{Method, header};
use serde_json::{Value, json};
use testkit::until;
use uuid::Uuid;

use crate::{
    app::{Browser, answer},
    commands,
    site::{KEY, Site, journeys},
};

pub(crate) const PAGE: &str = "/api/v2/ads/?page=article&screen=large&section=news";
const ADVERTISERS_NOW: &str = "/api/v2/ads/advertisers/";
pub(crate) const EVENTS: &str = "/api/v2/ads/events/";
/// The user agent of a reader's browser; the tests' own client sends none, like a bot.
pub(crate) const AGENT: &str =
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const ADVERTISERS: &str = r#"
[[advertiser]]
slug = "paddlers"
name = "The Paddlers"
website = "https://paddlers.example/"
"#;

/// A campaign with a leaderboard, a big box and a text.
pub(crate) fn campaign(goal: u64) -> String {
    format!(
        r#"
advertiser = "paddlers"
name = "Kayaks in the morning"
category = "outdoors"
starts = 2020-01-01
ends = 2099-12-31

[[line_items]]
slug = "leaderboard"
goal = {goal}
[line_items.targeting]
sections = ["news"]
[[line_items.creatives]]
slug = "wide"
size = "970x250"
picture = "pictures/wide.svg"
alt = "A kayak at dawn"
href = "/places/?from=kayaks"

[[line_items]]
slug = "house"
priority = "house"
[[line_items.creatives]]
slug = "text"
size = "300x250"
headline = "Paddle before work"
text = "From the foot of Bathurst."
call = "Book a kayak"
alt = "A kayak"
href = "https://paddlers.example/"
"#
    )
}

pub(crate) fn write(root: &Path, goal: u64) {
    for folder in ["campaigns", "pictures"] {
        fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    fs::write(root.join("advertisers.toml"), ADVERTISERS).expect("writes");
    fs::write(root.join("campaigns/kayaks.toml"), campaign(goal)).expect("writes");
    let picture = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 970 250"/>"#;
    fs::write(root.join("pictures/wide.svg"), picture).expect("writes");
}

/// Runs `cityguide ads`; returns whether it succeeded, and its output.
pub(crate) async fn ads(settings: &Settings, arguments: &[&str]) -> (bool, String) {
    commands::said(settings, &[&["ads"], arguments].concat()).await
}

/// Applies a folder with a campaign of this goal.
pub(crate) async fn apply(settings: &Settings, goal: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), goal);
    let path = folder.path().to_str().expect("a path in UTF-8");
    let (is_well, said) = ads(settings, &["apply", path]).await;
    assert!(is_well, "{said}");
}

/// Returns the ads of a page, once both slots are filled.
pub(crate) async fn shown(browser: &Browser) -> Value {
    until("the page shows ads", async || {
        let answer = browser.json(PAGE).await;
        let results = answer["results"].as_array().expect("results").clone();
        let all = results.iter().all(|ad| !ad["creative"].is_null());
        (results.len() == 2 && all).then_some(answer)
    })
    .await
}

async fn send(browser: &Browser, events: Value) -> (u16, Value) {
    let request = browser.request(Method::POST, EVENTS);
    let request = request.header(header::USER_AGENT, AGENT);
    let request = request.json(&json!({"events": events}));
    answer(request.send().await.expect("answers")).await
}

/// Returns an event that processes with this key accept.
pub(crate) fn event() -> Value {
    let token = Tickets::new(&Keys::one(KEY.as_bytes())).sign(&Ticket {
        opportunity: Uuid::from_u128(7),
        line_item_id: 1,
        creative_id: 1,
        served_at: chassis::clock::SystemClock.now(),
        position: "lead".to_owned(),
    });
    json!({"events": [{"kind": "impression", "token": token}]})
}

async fn an_ad_is_shown_seen_and_followed_and_the_log_proves_it(site: &Site) {
    let settings = site.settings();
    apply(settings, 1_000_000_000).await;
    let browser = site.browser();
    let page = shown(&browser).await;
    let (leaderboard, big_box) = (&page["results"][0], &page["results"][1]);
    for (field, expected) in [
        ("boxType", json!("leaderboard")),
        ("width", json!(970)),
        ("height", json!(250)),
        ("elementId", json!("ad-lead")),
        ("screenTypes", json!(["medium", "large"])),
        ("advert_position", json!("lead")),
        ("article_id", Value::Null),
        ("article_category", json!("news")),
    ] {
        assert_eq!(leaderboard[field], expected, "{field}");
    }
    assert_eq!(leaderboard["creative"]["kind"], "image");
    assert_eq!(leaderboard["creative"]["advertiser"], "The Paddlers");
    assert_eq!(big_box["creative"]["kind"], "native");
    assert_eq!(big_box["creative"]["headline"], "Paddle before work");

    let token = &leaderboard["creative"]["token"];
    let events =
        json!([{"kind": "impression", "token": token}, {"kind": "viewable", "token": token}]);
    let (status, counted) = send(&browser, events.clone()).await;
    assert_eq!(
        (status, &counted["results"]),
        (200, &json!(["counted", "counted"]))
    );
    // The browser at the other gateway, if the site has two.
    let (_, repeated) = send(&site.browser(), events).await;
    assert_eq!(repeated["results"], json!(["repeated", "repeated"]));

    // An earlier click would count as implausible.
    tokio::time::sleep(Duration::from_millis(400)).await;
    let click = leaderboard["creative"]["click_url"]
        .as_str()
        .expect("an address");
    let reader = browser.without_redirects();
    for _ in 0..2 {
        let click = reader
            .request(Method::GET, click)
            .header(header::USER_AGENT, AGENT);
        let followed = click.send().await.expect("answers");
        assert_eq!(followed.status(), 303);
        assert_eq!(followed.headers()[header::LOCATION], "/places/?from=kayaks");
    }

    let counted = until("the log is linked and adds up", async || {
        let (is_well, said) = ads(settings, &["verify"]).await;
        (is_well && said.contains("1 clicks")).then_some(said)
    })
    .await;
    // Reported immediately, so that the ad cannot have been visible for a second.
    assert!(
        counted.contains(
            "kayaks / leaderboard: 1 impressions, 0 viewable, 1 clicks, 0 surplus, 1 invalid"
        ),
        "{counted}"
    );
    assert!(counted.contains("the reports say the same"), "{counted}");
    let log = tempfile::NamedTempFile::new().expect("a file");
    let path = log.path().to_str().expect("a path in UTF-8");
    let (is_well, said) = ads(settings, &["log", path]).await;
    assert!(is_well && said.contains(" from batch 1 on ("), "{said}");
    let key = said.split_whitespace().nth(1).expect("a key");
    let (is_well, said) = ads(settings, &["verify", "--log", path, "--key", key]).await;
    assert!(is_well && said.contains("0 viewable, 1 clicks"), "{said}");
    let foreign = "ab".repeat(32);
    let (is_well, said) = ads(settings, &["verify", "--log", path, "--key", &foreign]).await;
    assert!(!is_well && said.contains("broken at batch 1"), "{said}");
    let (_, report) = ads(settings, &["report", "kayaks"]).await;
    assert!(report.contains("leaderboard / wide"), "{report}");
    let (_, status) = ads(settings, &["status"]).await;
    assert!(
        status.contains("Kayaks in the morning for The Paddlers"),
        "{status}"
    );
}

async fn the_documents_of_creatives_are_sandboxed(site: &Site) {
    apply(site.settings(), 1_000_000_000).await;
    let browser = site.browser();
    let page = shown(&browser).await;
    let address = page["results"][0]["creative"]["frame_url"]
        .as_str()
        .expect("an address");
    let frame = browser.get(address).await;
    assert_eq!(frame.status(), 200);
    let policy = frame.headers()[header::CONTENT_SECURITY_POLICY]
        .to_str()
        .expect("text")
        .to_owned();
    assert!(
        policy.starts_with("sandbox allow-scripts; default-src 'none'"),
        "{policy}"
    );
    for forbidden in [
        "allow-same-origin",
        "allow-top-navigation",
        "allow-popups",
        "allow-pointer-lock",
    ] {
        assert!(!policy.contains(forbidden), "{policy}");
    }
    let document = frame.text().await.expect("a body");
    assert!(document.contains("<img src=\"/media/"), "{document}");
    assert!(!document.contains("token"), "{document}");
}

async fn a_paused_campaign_leaves_the_pages_and_a_changed_one_follows(site: &Site) {
    let settings = site.settings();
    apply(settings, 1_000_000_000).await;
    let browser = site.browser();
    shown(&browser).await;
    let (is_well, said) = ads(settings, &["pause", "kayaks"]).await;
    assert!(is_well, "{said}");
    until("nothing is shown", async || {
        let page = browser.json(PAGE).await;
        let mut results = page["results"].as_array().expect("results").iter();
        results.all(|ad| ad["creative"].is_null()).then_some(())
    })
    .await;
    let (is_well, said) = ads(settings, &["resume", "kayaks"]).await;
    assert!(is_well, "{said}");
    shown(&browser).await;
    let (is_well, said) = ads(settings, &["pause", "nothing"]).await;
    assert!(!is_well && said.contains("nothing: "), "{said}");
}

async fn the_page_about_advertising_names_those_whose_campaigns_run(site: &Site) {
    let settings = site.settings();
    apply(settings, 1_000_000_000).await;
    let browser = site.browser();
    let advertisers = || async { browser.json(ADVERTISERS_NOW).await["results"].clone() };
    until("an advertiser is named", async || {
        let named = json!([{"slug": "paddlers", "name": "The Paddlers"}]);
        (advertisers().await == named).then_some(())
    })
    .await;
    let page = until("the page names it too", async || {
        let page = browser.get("/advertising/").await;
        let page = page.text().await.expect("a body");
        page.contains("<li>The Paddlers</li>").then_some(page)
    })
    .await;
    for part in [
        "<title>Advertising · ",
        "<meta name=\"description\" content=\"How ads work on ",
        "<h2>How it works</h2>",
        "<td>970 × 250</td>",
        "href=\"/contact/?advertise\"",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(
        browser
            .get("/sitemaps/site.xml")
            .await
            .text()
            .await
            .expect("a body")
            .contains("/advertising/</loc>")
    );

    // Paused campaigns and the site's own campaigns list no advertiser.
    for (command, is_named) in [("pause", false), ("resume", true)] {
        let (is_well, said) = ads(settings, &[command, "kayaks"]).await;
        assert!(is_well, "{said}");
        until("the list follows", async || {
            let named = advertisers().await;
            (named.as_array().is_some_and(|all| !all.is_empty()) == is_named).then_some(())
        })
        .await;
    }
    let house = campaign(1).replace("goal = 1\n", "priority = \"house\"\n");
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), 1);
    fs::write(folder.path().join("campaigns/kayaks.toml"), house).expect("writes");
    let path = folder.path().to_str().expect("a path in UTF-8");
    let (is_well, said) = ads(settings, &["apply", path]).await;
    assert!(is_well, "{said}");
    until("nobody is named", async || {
        (advertisers().await == json!([])).then_some(())
    })
    .await;
}

async fn what_this_site_has_not_given_is_refused_and_counted_apart(site: &Site) {
    let settings = site.settings();
    apply(settings, 1_000_000_000).await;
    let browser = site.browser();
    let page = shown(&browser).await;
    let token = page["results"][0]["creative"]["token"]
        .as_str()
        .expect("a token");
    let mut changed = token.to_owned();
    changed.replace_range(2..3, if token[2..3] == *"A" { "B" } else { "A" });
    let foreign = Tickets::new(&Keys::one(b"a secret of another site, longer")).sign(&Ticket {
        opportunity: Uuid::nil(),
        line_item_id: 1,
        creative_id: 1,
        served_at: chassis::clock::SystemClock.now(),
        position: "lead".to_owned(),
    });
    let events: Vec<Value> = [changed.as_str(), &foreign, "", "none"]
        .iter()
        .map(|token| json!({"kind": "impression", "token": token}))
        .collect();
    let (status, refused) = send(&browser, json!(events)).await;
    assert_eq!(
        (status, &refused["results"]),
        (200, &json!(["forged", "forged", "forged", "forged"]))
    );
    let (status, _) = send(&browser, json!([])).await;
    assert_eq!(status, 400);
    let many: Vec<Value> = (0..51).map(|_| events[0].clone()).collect();
    let (status, _) = send(&browser, json!(many)).await;
    assert_eq!(status, 400);
    let gone = browser.get(&format!("/api/v2/ads/clicks/{changed}/")).await;
    assert_eq!(gone.status(), 404);
    until("the refusals are counted", async || {
        let (_, said) = ads(settings, &["refusals"]).await;
        let counts = said.lines().filter(|line| line.ends_with("forged"));
        let counts = counts.filter_map(|line| line.split_whitespace().nth(2)?.parse::<u32>().ok());
        (counts.sum::<u32>() == 5).then_some(())
    })
    .await;
}

/// The path of each link that `ads preview` prints, by creative.
async fn previews(settings: &Settings) -> Vec<String> {
    let (is_well, said) = ads(settings, &["preview", "kayaks"]).await;
    assert!(is_well, "{said}");
    let links = said.lines().filter_map(|line| {
        let (_, path) = line.split_once(&settings.site.url)?;
        Some(path.to_owned())
    });
    links.collect()
}

async fn a_creative_is_previewed_by_its_link_alone_and_nothing_is_counted(site: &Site) {
    let settings = site.settings();
    apply(settings, 1_000_000_000).await;
    let (is_well, said) = ads(settings, &["pause", "kayaks"]).await;
    assert!(is_well, "{said}");
    let links = previews(settings).await;
    let [picture, text] = links.as_slice() else {
        panic!("{links:?}");
    };
    let browser = site.browser();
    let frame = format!("{picture}creative/");
    for (path, expected) in [
        (
            picture,
            format!("src=\"{frame}\" width=\"970\" height=\"250\""),
        ),
        (picture, "Kayaks in the morning for The Paddlers".to_owned()),
        (&frame, "<img src=\"/media/".to_owned()),
        (text, "Paddle before work".to_owned()),
        (text, "aria-label=\"Advertisement\"".to_owned()),
    ] {
        let page = browser.get(path).await;
        assert_eq!(page.status(), 200, "{path}");
        let header = |name| page.headers()[name].to_str().expect("text").to_owned();
        assert_eq!(header("cache-control"), "private, no-store");
        assert_eq!(header("x-robots-tag"), "noindex");
        let policy = header("content-security-policy");
        assert_eq!(policy.starts_with("sandbox"), path == &frame, "{policy}");
        let page = page.text().await.expect("a body");
        assert!(page.contains(&expected), "{expected}: {page}");
    }
    let (_, report) = ads(settings, &["report", "kayaks"]).await;
    assert_eq!(report.matches(": 0 impressions").count(), 2, "{report}");

    let previews = Previews::new(&Keys::one(KEY.as_bytes()));
    let token = picture.trim_end_matches('/').rsplit('/').next();
    let token = token.expect("a token").to_owned();
    let now = chassis::clock::SystemClock.now();
    let preview = previews.verify(&token, now).expect("a preview");
    let expired = previews.sign(&Preview {
        expires_at: now - TimeDelta::seconds(1),
        ..preview.clone()
    });
    let of_nothing = previews.sign(&Preview {
        creative_id: i64::MAX,
        ..preview.clone()
    });
    let of_no_campaign = previews.sign(&Preview {
        campaign: "nothing".to_owned(),
        ..preview
    });
    let mut forged = token.clone();
    forged.replace_range(2..3, if token[2..3] == *"A" { "B" } else { "A" });
    let ticket = event()["events"][0]["token"].to_string();
    let ticket = ticket.trim_matches('"').to_owned();
    for token in [expired, of_nothing, of_no_campaign, forged, ticket] {
        for path in [
            format!("/ads/previews/{token}/"),
            format!("/ads/previews/{token}/creative/"),
        ] {
            let page = browser.get(&path).await;
            assert_eq!(page.status(), 404, "{path}");
            assert_eq!(page.headers()["x-robots-tag"], "noindex");
        }
    }
}

journeys! {
    the_documents_of_creatives_are_sandboxed,
    a_paused_campaign_leaves_the_pages_and_a_changed_one_follows,
    a_creative_is_previewed_by_its_link_alone_and_nothing_is_counted,
    the_page_about_advertising_names_those_whose_campaigns_run,
    what_this_site_has_not_given_is_refused_and_counted_apart;
    split too:
    an_ad_is_shown_seen_and_followed_and_the_log_proves_it,
}
