//! Ads while processes are killed: each impression that a reader's browser sends until it is acknowledged is counted
//! once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use cityguide::{Settings, Target};
use reqwest::{Method, header};
use serde_json::{Value, json};
use testkit::{database::TestDatabase, until};
use tokio::task::JoinHandle;

use crate::{
    ads::{AGENT, EVENTS, PAGE, ads, apply},
    app::Browser,
    city,
    crash::{migrated, start},
    site::Split,
};

const READERS: usize = 6;
/// The default number of kills; `CITYGUIDE_AD_KILLS` overrides it.
const USUAL: usize = 4;
/// Number of events per call when acknowledged events are sent again.
const AGAIN: usize = 50;

/// Readers' events.
#[derive(Default)]
struct Sent {
    /// The tokens of ads with an acknowledged impression.
    tokens: Vec<Value>,
    /// The number of failed calls.
    failed: usize,
}

/// Readers who open pages until they are stopped.
struct Readers {
    ended: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<Sent>>,
}

impl Readers {
    fn begin(browser: impl Fn() -> Browser) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let tasks = (0..READERS).map(|_| tokio::spawn(look(browser(), Arc::clone(&ended))));
        Self {
            tasks: tasks.collect(),
            ended,
        }
    }

    /// Stops the readers once all their events have been acknowledged.
    async fn end(self) -> Sent {
        self.ended.store(true, Ordering::Relaxed);
        let mut all = Sent::default();
        for task in self.tasks {
            let sent = task.await.expect("every event was acknowledged");
            all.tokens.extend(sent.tokens);
            all.failed += sent.failed;
        }
        all
    }
}

async fn look(browser: Browser, ended: Arc<AtomicBool>) -> Sent {
    let mut sent = Sent::default();
    while !ended.load(Ordering::Relaxed) {
        let tokens = shown(&browser).await;
        if tokens.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        }
        while record(&browser, &tokens).await.is_none() {
            sent.failed += 1;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        sent.tokens.extend(tokens);
    }
    sent
}

/// Returns the tokens of a page's ads; none without a response.
async fn shown(browser: &Browser) -> Vec<Value> {
    let Ok(answer) = browser.request(Method::GET, PAGE).send().await else {
        return Vec::new();
    };
    let Ok(page) = answer.json::<Value>().await else {
        return Vec::new();
    };
    let ads = page["results"].as_array().into_iter().flatten();
    let tokens = ads.map(|ad| ad["creative"]["token"].clone());
    tokens.filter(Value::is_string).collect()
}

/// Sends an impression of each token; returns the outcomes if they were acknowledged.
async fn record(browser: &Browser, tokens: &[Value]) -> Option<Vec<Value>> {
    let events: Vec<Value> = tokens
        .iter()
        .map(|token| json!({"kind": "impression", "token": token}))
        .collect();
    let request = browser.request(Method::POST, EVENTS);
    let request = request.header(header::USER_AGENT, AGENT);
    let request = request.json(&json!({"events": events}));
    let answer = request.send().await.ok()?.error_for_status().ok()?;
    let recorded = answer.json::<Value>().await.ok()?;
    let outcomes = recorded["results"].as_array().expect("results").clone();
    for outcome in &outcomes {
        assert!(outcome == "counted" || outcome == "repeated", "{outcome}");
    }
    Some(outcomes)
}

fn kills() -> usize {
    let kills = std::env::var("CITYGUIDE_AD_KILLS");
    kills.map_or(USUAL, |number| number.parse().expect("a number"))
}

/// Waits until events arrive, and then for a time that differs between successive kills.
async fn are_coming_in(database: &TestDatabase, kill: usize) {
    let counted = "SELECT count(*) FROM ads.events";
    let before = database.number(counted).await;
    until("events come in", async || {
        (database.number(counted).await > before).then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(400 + 73 * (kill as u64 % 10))).await;
}

/// Returns the output of `ads verify` for a log that matches the reports.
async fn verified(settings: &Settings) -> String {
    let (is_well, said) = ads(settings, &["verify"]).await;
    assert!(is_well, "{said}");
    assert!(said.contains("the reports say the same"), "{said}");
    said
}

/// Fails unless all acknowledged events are counted once, and the log matches the reports.
#[expect(clippy::print_stdout, reason = "the figures of a long run")]
async fn all_are_counted_once(
    (settings, database): (&Settings, &TestDatabase),
    browser: &Browser,
    sent: Sent,
) {
    let Sent { tokens, failed } = sent;
    println!("{} impressions, {failed} failed calls", tokens.len());
    assert!(
        failed > 0,
        "no call was under way when a process was killed"
    );
    for some in tokens.chunks(AGAIN) {
        let outcomes = record(browser, some).await.expect("it is answered");
        assert!(outcomes.iter().all(|outcome| outcome == "repeated"));
    }
    let sent = i64::try_from(tokens.len()).expect("few");
    let said = verified(settings).await;
    let impressions = said.lines().filter_map(|line| {
        let (_, counts) = line.split_once(": ")?;
        counts.split_once(" impressions")?.0.parse::<i64>().ok()
    });
    assert_eq!(impressions.sum::<i64>(), sent, "{said}");
    for counted in [
        "SELECT count(*) FROM ads.events WHERE verdict = 0",
        "SELECT sum(impressions)::bigint FROM ads.deliveries",
        "SELECT sum(impressions + viewable + clicks + surplus + invalid)::bigint FROM ads.hourly",
    ] {
        assert_eq!(database.number(counted).await, sent, "{counted}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_impression_is_counted_once_however_often_the_system_is_killed() {
    let (settings, database, _blobs) = migrated().await;
    city::build(&settings).await;
    let mut child = start(&settings).await;
    apply(&settings, 1_000_000_000).await;
    let base = format!("http://{}", settings.http.listen);
    let readers = Readers::begin(|| Browser::at(&base));
    for kill in 0..kills() {
        are_coming_in(&database, kill).await;
        child.kill().await.expect("killed");
        child = start(&settings).await;
    }
    // The log is also valid while events arrive.
    verified(&settings).await;
    let sent = readers.end().await;
    all_are_counted_once((&settings, &database), &Browser::at(&base), sent).await;
    child.kill().await.expect("killed");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_impression_is_counted_once_however_often_one_of_many_processes_is_killed() {
    let mut split = Split::start().await;
    let settings = split.settings.clone();
    apply(&settings, 1_000_000_000).await;
    let readers = Readers::begin(|| split.browser());
    for kill in 0..kills() {
        are_coming_in(&split.database, kill).await;
        let target = [Target::Ads, Target::Gateway][kill % 2];
        split.process(target).kill().await;
        // Meanwhile the other gateway, or both gateways, continue.
        tokio::time::sleep(Duration::from_millis(200)).await;
        split.process(target).start_again().await;
    }
    // The log is also valid while events arrive.
    verified(&settings).await;
    let sent = readers.end().await;
    all_are_counted_once((&settings, &split.database), &split.browser(), sent).await;
}
