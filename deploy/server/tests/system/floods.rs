//! Floods of sign-ins on many processes: two gateways count together, and readers who only browse are not
//! affected.

use std::time::Duration;

use futures::future::join_all;
use testkit::until;

use crate::{
    app::{PASSWORD, rate, set_timeouts},
    cache::counted,
    limits::{behind_a_proxy, login_from},
    site::Split,
};

/// The number of passwords that identity has checked.
async fn tries_at(split: &Split) -> u64 {
    let url = format!(
        "http://{}/metrics",
        split.internal(cityguide::Target::Identity)
    );
    let text = reqwest::get(url)
        .await
        .expect("answers")
        .text()
        .await
        .expect("text");
    text.lines()
        .filter(|line| {
            line.starts_with("rpc_server_duration_seconds_count") && line.contains("/SignIn\"")
        })
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
        .sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn gateways_count_together_and_no_number_of_parallel_tries_is_more_than_allowed() {
    let split = Split::start_with(|settings| {
        behind_a_proxy(settings);
        settings.limits.failed_sign_in = rate("5/h");
        settings.limits.failed_sign_in_everywhere = rate("9/h");
    })
    .await;
    split.browser().sign_up("ada@example.com").await;
    for (addresses, most) in [(1, 5), (50, 9 - 5)] {
        let tries = (0..50).map(|number| {
            let browser = split.browser();
            async move {
                let address = format!("203.0.113.{}", number % addresses);
                let tried = login_from(&browser, &address, "ada@example.com", "wrong").await;
                tried.status().as_u16()
            }
        });
        let statuses = join_all(tries).await;
        let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
        assert_eq!((count(400), count(429)), (most, 50 - most), "{statuses:?}");
    }
    assert_eq!(
        tries_at(&split).await,
        9,
        "no password of a refused try was looked at"
    );

    let keys: Vec<String> = redis_keys(&split).await;
    let limits: Vec<_> = keys.iter().filter(|key| key.contains("limit:")).collect();
    assert!(limits.len() > 3, "{keys:?}");
    for key in limits {
        assert!(!key.contains("ada") && !key.contains("203.0"), "{key}");
    }
}

async fn redis_keys(split: &Split) -> Vec<String> {
    let url = testkit::environment("CITYGUIDE_TEST_REDIS_URL");
    let client = redis::Client::open(url).expect("an address");
    let mut connection = client
        .get_multiplexed_async_connection()
        .await
        .expect("Redis");
    redis::cmd("KEYS")
        .arg(format!("{}:*", split.namespace()))
        .query_async(&mut connection)
        .await
        .expect("Redis")
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_each_gateway_goes_on_counting_for_itself() {
    let (split, faults) = Split::start_among_faults_with(|settings| {
        settings.limits.sign_in = rate("3/h");
    })
    .await;
    let gateways = [split.browser(), split.browser()];
    split.browser().sign_up("ada@example.com").await;
    faults.cache.cut();
    for browser in &gateways {
        for expected in [200, 200, 200, 429] {
            let response = login_from(browser, "", "ada@example.com", PASSWORD).await;
            assert_eq!(response.status().as_u16(), expected);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_sign_ins_harms_neither_browsing_nor_readers_who_are_in() {
    // The benchmark measures how many seconds readers wait during a flood; here, other tests take the machine's time.
    let split = Split::start_with(|settings| {
        behind_a_proxy(settings);
        set_timeouts(settings, Duration::from_mins(1));
    })
    .await;
    let reader = split.browser();
    reader.sign_up("ada@example.com").await;
    // Each attempt has its own address and account, so no bucket refuses it and each attempt costs a hash.
    let flood = tokio::spawn(join_all((0..400).map(|number| {
        let browser = split.browser();
        async move {
            let (address, email) = (
                format!("10.0.{}.{}", number / 250, number % 250),
                format!("x{number}@example.com"),
            );
            let tried = login_from(&browser, &address, &email, "wrong").await;
            (
                tried.status().as_u16(),
                tried.headers().contains_key("retry-after"),
            )
        }
    })));
    let mut rounds = 0;
    while !flood.is_finished() {
        reader.json("/api/v2/listings/").await;
        assert!(reader.json("/api/v2/profiles/status/").await["id"].is_i64());
        assert_eq!(reader.json("/api/v2/favourites/").await["count"], 0);
        rounds += 1;
    }
    assert!(rounds > 1, "readers waited until the flood was over");
    let answers = flood.await.expect("no panic");
    let count = |wanted: (u16, bool)| answers.iter().filter(|answer| **answer == wanted).count();
    assert_eq!(count((400, false)) + count((503, true)), 400, "{answers:?}");
    assert!(
        count((400, false)) > 0 && count((503, true)) > 0,
        "{answers:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_strangers_invent_take_no_more_than_the_cache_may() {
    const MAX: u64 = 100_000;
    let split = Split::start_with(|settings| {
        settings.public_cache.max_bytes = MAX;
        settings.public_cache.max_name_bytes = 1;
    })
    .await;
    let browser = split.browser();
    let gauge = async |name: &str| {
        let gateway = split.internal(cityguide::Target::Gateway);
        counted(gateway, name, "").await
    };
    for number in 0..200 {
        browser
            .json(&format!("/api/v2/listings/?keywords=word{number}"))
            .await;
        browser
            .json(&format!("/api/v2/listings/?limit=100&offset={number}"))
            .await;
    }
    let bytes = gauge("gateway_cache_bytes").await;
    assert!((1..=MAX).contains(&bytes), "{bytes} bytes");
    let entries = gauge("gateway_cache_entries").await;
    assert!((1..400).contains(&entries), "{entries} answers");
    // All names exceed this gateway's memory limit, so it calls editorial for each suggestion.
    until("the names have been read", async || {
        let editorial = split.internal(cityguide::Target::Editorial);
        (counted(editorial, "search_names ", "").await > 0).then_some(())
    })
    .await;
    let found = browser.json("/api/v2/search/suggest/?q=west").await;
    assert_ne!(found["results"], serde_json::json!([]));
    assert_eq!(gauge("suggestion_names ").await, 0);
}
