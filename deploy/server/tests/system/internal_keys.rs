//! The keys that processes share: a process with different keys is an internal error and signs no reader out, and keys
//! can be replaced while the site is in use.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use cityguide::Target;
use reqwest::{Method, StatusCode, header::SET_COOKIE};
use serde_json::Value;
use testkit::until;

use crate::{
    app::Browser,
    site::{Process, Split},
};

const STATUS: &str = "/api/v2/profiles/status/";

async fn use_keys(process: &mut Process, keys: &str) {
    process
        .restart_with(|settings| keys.clone_into(&mut settings.internal.key))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_with_another_key_is_503_and_signs_nobody_out() {
    let mut split = Split::start().await;
    let browser = split.browser();
    let ada = browser.sign_up("ada@example.com").await;
    let key = split.settings.internal.key.clone();

    use_keys(split.process(Target::Identity), &"another key".repeat(3)).await;
    for path in [STATUS, "/api/v2/profiles/hi/"] {
        let answer = browser.get(path).await;
        assert!(answer.headers().get(SET_COOKIE).is_none(), "{path}");
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
    }
    let page = browser.get("/dashboard/").await;
    assert!(page.headers().get(SET_COOKIE).is_none());

    use_keys(split.process(Target::Identity), &key).await;
    assert_eq!(browser.json(STATUS).await["id"], ada);
}

/// Requests the signed-in reader repeatedly until it receives the signal to stop. Only a process that is being
/// restarted may leave a request unanswered.
async fn stays_signed_in(
    browser: Browser,
    id: i64,
    done: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
) {
    while !done.load(Ordering::Relaxed) {
        let Ok(answer) = browser.request(Method::GET, STATUS).send().await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
            assert!(answer.headers().get(SET_COOKIE).is_none());
            continue;
        }
        assert_eq!(answer.status(), StatusCode::OK);
        let body: Value = answer.json().await.expect("JSON");
        assert_eq!(body["id"], id, "signed out");
        answered.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_replaced_under_load_and_nobody_is_signed_out() {
    let mut split = Split::start().await;
    let done = Arc::new(AtomicBool::new(false));
    let mut readers = Vec::new();
    for number in 0..2 {
        let browser = split.browser();
        let id = browser.sign_up(&format!("r{number}@example.com")).await;
        let answered = Arc::new(AtomicUsize::new(0));
        let asking = stays_signed_in(browser, id, Arc::clone(&done), Arc::clone(&answered));
        readers.push((tokio::spawn(asking), answered));
    }
    let old = split.settings.internal.key.clone();
    let new = "the key that takes the old one's place";
    for keys in [
        format!("{old}\n{new}"),
        format!("{new}\n{old}"),
        new.to_owned(),
    ] {
        for process in split.processes() {
            use_keys(process, &keys).await;
            // Both gateways continue to answer while processes have overlapping keys.
            for (_, answered) in &readers {
                let before = answered.load(Ordering::Relaxed);
                until("the reader is answered", async || {
                    (answered.load(Ordering::Relaxed) > before + 1).then_some(())
                })
                .await;
            }
        }
    }
    done.store(true, Ordering::Relaxed);
    for (asking, _) in readers {
        asking.await.expect("nobody was signed out");
    }
}
