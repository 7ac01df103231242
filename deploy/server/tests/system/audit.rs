//! The audit log of accounts, as operators read it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    app::{PASSWORD, answer},
    commands::{output_of, run},
    site::{Site, journeys},
};

const ADA: &str = "ada@example.com";
const LOGIN: &str = "/api/v2/profiles/email-login/";

/// Returns the JSON output of `cityguide accounts audit` with these arguments.
async fn audit(site: &Site, arguments: &[&str]) -> Vec<Value> {
    let all = [
        &["--operator", "grace", "accounts", "audit", "--json"],
        arguments,
    ]
    .concat();
    let output = run(site.settings(), &all).await;
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let entries = text.lines().map(serde_json::from_str);
    entries.collect::<Result<_, _>>().expect("JSON")
}

async fn operators_read_who_did_what_when_and_from_which_network(site: &Site) {
    let browser = site.browser();
    let id = browser.sign_up(ADA).await;
    let wrong = json!({"email": ADA, "password": "wrong horse"});
    for _ in 0..2 {
        // A client cannot name an operator with a header.
        let request = site.browser().request(Method::POST, LOGIN).json(&wrong);
        let request = request.header("x-forwarded-for", "203.0.113.9");
        assert_eq!(request.send().await.expect("answers").status(), 400);
    }
    site.browser().sign_in(ADA).await;
    let id_text = id.to_string();
    let disable = ["--operator", "grace", "accounts", "disable", &id_text];
    assert!(run(site.settings(), &disable).await.status.success());

    let entries = audit(site, &[ADA]).await;
    let seen: Vec<_> = entries
        .iter()
        .map(|entry| {
            assert_eq!(entry["account"], json!(id), "{entry}");
            let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
            (
                text("act"),
                text("network"),
                text("operator"),
                entry["times"].clone(),
            )
        })
        .collect();
    let network = "127.0.0.0/24";
    let expected = [
        ("registered", network, "", 1),
        ("sign-in-failed", network, "", 2),
        ("signed-in", network, "", 1),
        ("account-viewed", "", "grace", 1),
        ("account-disabled", "", "grace", 1),
        ("account-viewed", "", "grace", 1),
        ("audit-viewed", "", "grace", 1),
    ];
    let expected = expected.map(|(act, network, operator, times)| {
        (
            act.to_owned(),
            network.to_owned(),
            operator.to_owned(),
            json!(times),
        )
    });
    assert_eq!(seen, expected);
    let since = entries[3]["last"].as_str().expect("an instant");
    let later = audit(site, &["--since", since]).await;
    assert!(later.len() < entries.len() && later.iter().all(|entry| entry["act"] != "registered"));

    let output = run(site.settings(), &["accounts", "audit", &id_text]).await;
    let text = String::from_utf8(output.stdout).expect("text");
    let wanted = format!("account {id}  registered  from {network}");
    assert!(text.lines().any(|line| line.ends_with(&wanted)), "{text}");
    let refused = output_of(&run(site.settings(), &["accounts", "audit", "bob@example.com"]).await);
    assert!(refused.contains("bob@example.com"), "{refused}");
}

async fn entries_of_a_reader_who_has_left_are_found_by_id_and_key_alone(site: &Site) {
    let browser = site.browser();
    let id = browser.sign_up(ADA).await;
    let request = browser.request(Method::DELETE, "/api/v2/profiles/me/");
    let request = request.json(&json!({"current_password": PASSWORD}));
    let erased = answer(request.send().await.expect("answers")).await;
    assert_eq!(erased.0, 204, "{erased:?}");
    let acts = async |whose: &[&str]| {
        let entries = audit(site, whose).await;
        let former = entries.iter().filter(|entry| !entry["pseudonym"].is_null());
        let acts = former.map(|entry| {
            assert!(entry["account"].is_null(), "{entry}");
            entry["act"].as_str().expect("an act").to_owned()
        });
        acts.collect::<Vec<_>>()
    };
    assert_eq!(acts(&[]).await, ["registered", "account-erased"]);
    // The command finds an erased account's entries with the key that the processes share.
    if let Site::Split(_) = site {
        let found = acts(&[&id.to_string()]).await;
        assert_eq!(found, ["registered", "account-erased"]);
    }
    assert_eq!(acts(&[&(id + 1).to_string()]).await, [""; 0]);
}

journeys! {
    operators_read_who_did_what_when_and_from_which_network,
    entries_of_a_reader_who_has_left_are_found_by_id_and_key_alone,
}
