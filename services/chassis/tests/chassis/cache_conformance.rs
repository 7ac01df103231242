//! A suite for every cache.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use chassis::{
    cache::{Cache, InProcessCache, RedisCache},
    clock::SystemClock,
    entropy::{OsEntropy, uuid},
};
use chrono::TimeDelta;
use testkit::{clock::ManualClock, proxy::FaultProxy, until};

const LONG: Duration = Duration::from_mins(1);
/// Long enough for a read on a machine that is busy with other tests.
const BRIEF: Duration = Duration::from_secs(2);

async fn a_value_is_kept_until_it_expires(cache: &dyn Cache) {
    assert_eq!(cache.get("a").await.expect("answers"), None);
    cache
        .set("a", Bytes::from_static(b"1"), LONG)
        .await
        .expect("keeps");
    assert_eq!(
        cache.get("a").await.expect("answers"),
        Some(Bytes::from_static(b"1"))
    );
    cache
        .set("a", Bytes::from_static(b"2"), BRIEF)
        .await
        .expect("keeps");
    assert_eq!(
        cache.get("a").await.expect("answers"),
        Some(Bytes::from_static(b"2"))
    );
    tokio::time::sleep(BRIEF).await;
    assert_eq!(cache.get("a").await.expect("answers"), None);
}

async fn only_the_first_of_many_takes_an_absent_key(cache: &dyn Cache) {
    let tries = (0..50_u8).map(|n| cache.set_if_absent("b", Bytes::from(vec![n]), LONG));
    let won: Vec<bool> = futures::future::join_all(tries)
        .await
        .into_iter()
        .map(|won| won.expect("answers"))
        .collect();
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    cache
        .set("b", Bytes::from_static(b"last word"), LONG)
        .await
        .expect("keeps");
    assert!(
        !cache
            .set_if_absent("b", Bytes::from_static(b"late"), LONG)
            .await
            .expect("answers")
    );
    assert_eq!(
        cache.get("b").await.expect("answers"),
        Some(Bytes::from_static(b"last word"))
    );
}

#[tokio::test]
async fn in_process() {
    let cache = InProcessCache::new(1 << 20);
    a_value_is_kept_until_it_expires(&cache).await;
    only_the_first_of_many_takes_an_absent_key(&cache).await;
}

#[tokio::test]
async fn a_full_cache_in_process_takes_a_new_value_for_the_least_recently_used() {
    let cache = InProcessCache::new(1 << 10);
    let value = || Bytes::from(vec![0; 100]);
    let set = async |key: &str| cache.set(key, value(), LONG).await.expect("answers");
    for old in 0..20 {
        let old = format!("old-{old}");
        set(&old).await;
        for _ in 0..20 {
            cache.get(&old).await.expect("answers");
        }
    }
    for new in 0..20 {
        let new = format!("new-{new}");
        set(&new).await;
        // Time for the cache to evict entries.
        tokio::time::sleep(Duration::from_millis(5)).await;
        cache.get("another").await.expect("answers");
        let there = cache.get(&new).await.expect("answers");
        assert_eq!(there, Some(value()), "{new}");
    }
}

#[tokio::test]
async fn redis() {
    let url = testkit::environment("CITYGUIDE_TEST_REDIS_URL");
    let namespace = format!("test-{}", uuid(&OsEntropy));
    let cache = RedisCache::new(&url, "", &namespace, Arc::new(SystemClock)).expect("an address");
    a_value_is_kept_until_it_expires(&cache).await;
    only_the_first_of_many_takes_an_absent_key(&cache).await;
}

#[tokio::test]
async fn redis_that_is_away_is_an_error() {
    let cache = RedisCache::new("redis://127.0.0.1:1", "", "away", Arc::new(SystemClock));
    let cache = cache.expect("an address");
    cache.get("a").await.expect_err("away");
    cache.get("a").await.expect_err("still away");
}

#[tokio::test]
async fn a_value_that_must_not_be_missed_reaches_redis_right_after_a_failed_question() {
    let url = testkit::environment("CITYGUIDE_TEST_REDIS_URL");
    let (proxy, url) = FaultProxy::before_url(&url).await;
    let namespace = format!("test-{}", uuid(&OsEntropy));
    // The clock does not advance, so that the pause after a failure does not end.
    let clock = ManualClock::shared();
    let cache = RedisCache::new(&url, "", &namespace, clock.clone()).expect("an address");
    proxy.cut();
    cache.get("a").await.expect_err("away");
    proxy.restore();
    let ended = Bytes::from_static(b"ended");
    until("a busy machine may need several tries", async || {
        cache.set("a", ended.clone(), LONG).await.ok()
    })
    .await;
    cache.get("a").await.expect_err("away a moment ago");
    let found = until("its value", async || {
        clock.advance(TimeDelta::seconds(2));
        cache.get("a").await.ok()
    })
    .await;
    assert_eq!(found, Some(ended));
}
