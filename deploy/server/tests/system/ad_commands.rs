//! `cityguide ads` from an operator's perspective.

use std::fs;

use crate::{
    ads::{ads, campaign, write},
    commands,
};

#[tokio::test]
async fn a_folder_with_mistakes_names_each_with_its_line_and_changes_nothing() {
    let (settings, database, folder) = commands::migrated().await;
    let root = folder.path().join("ads");
    write(&root, 100);
    let wrong = campaign(0)
        .replace("970x250", "970 by 250")
        .replace("pictures/wide.svg", "../wide.svg")
        .replace("starts = 2020-01-01", "starts = 2020-01-01T00:00:00Z");
    fs::write(root.join("campaigns/kayaks.toml"), wrong).expect("writes");
    fs::write(root.join("campaigns/not-toml.toml"), "advertiser =").expect("writes");
    let path = root.to_str().expect("a path in UTF-8");
    let (is_well, said) = ads(&settings, &["apply", path]).await;
    assert!(!is_well);
    for mistake in [
        "campaigns/kayaks.toml, line 5: must be a date",
        "campaigns/kayaks.toml, line 15: \"970 by 250\" is no size",
        "campaigns/kayaks.toml, line 16: \"../wide.svg\" is no picture of this folder",
        "campaigns/kayaks.toml: starts: is no instant",
        "campaigns/not-toml.toml, line 1",
    ] {
        assert!(said.contains(mistake), "{mistake}: {said}");
    }
    let stored = "SELECT count(*) FROM ads.campaigns";
    assert_eq!(database.number(stored).await, 0);
}

#[tokio::test]
async fn a_dry_run_says_what_would_change_and_changes_nothing() {
    let (settings, database, folder) = commands::migrated().await;
    let root = folder.path().join("ads");
    write(&root, 100);
    let path = root.to_str().expect("a path in UTF-8");
    let (is_well, said) = ads(&settings, &["apply", path, "--dry-run"]).await;
    assert!(is_well && said.contains("nothing was changed"), "{said}");
    let stored = "SELECT count(*) FROM ads.campaigns";
    assert_eq!(database.number(stored).await, 0);
    ads(&settings, &["apply", path]).await;
    write(&root, 200);
    let (_, said) = ads(&settings, &["apply", path, "--dry-run"]).await;
    assert!(said.contains("line_items"), "{said}");
}

#[tokio::test]
async fn an_exported_log_is_verified_without_the_site() {
    let (settings, _database, folder) = commands::migrated().await;
    let log = folder.path().join("log.jsonl");
    let path = log.to_str().expect("a path in UTF-8");
    let (is_well, said) = ads(&settings, &["log", path]).await;
    assert!(is_well, "{said}");
    let key = &"ab".repeat(32);
    let (is_well, said) = ads(&settings, &["verify", "--log", path, "--key", key]).await;
    assert!(is_well && said.contains("0 batches hold"), "{said}");
    fs::write(&log, "{}\n").expect("writes");
    let (is_well, said) = ads(&settings, &["verify", "--log", path, "--key", key]).await;
    assert!(!is_well && said.contains("line 1"), "{said}");
    let (is_well, said) = ads(&settings, &["verify", "--log", path, "--key", "none"]).await;
    assert!(!is_well && said.contains("is no key"), "{said}");
}
