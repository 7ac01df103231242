//! A suite for every store of token buckets.

use std::{sync::Arc, time::Duration};

use chassis::{
    clock::SystemClock,
    entropy::{OsEntropy, uuid},
    limits::{BucketState, Buckets, FallbackBuckets, InProcessBuckets, Rate, RedisBuckets},
};
use chrono::TimeDelta;
use testkit::clock::ManualClock;

fn rate(text: &str) -> Rate {
    text.parse().expect("a rate")
}

async fn take(buckets: &dyn Buckets, key: &str, rate: Rate) -> BucketState {
    buckets.take(key, rate, 1).await.expect("answers")
}

async fn a_bucket_gives_what_it_holds_and_fills_evenly(buckets: &dyn Buckets, clock: &ManualClock) {
    let five = rate("5/min");
    for left in (0..5).rev() {
        let taken = take(buckets, "even", five).await;
        assert!(taken.is_allowed);
        assert_eq!(taken.remaining, left);
        assert_eq!(taken.full_in, Duration::from_secs(12 * u64::from(5 - left)));
        let next = if left == 0 { 12 } else { 0 };
        assert_eq!(taken.next_in, Duration::from_secs(next));
    }
    let refused = take(buckets, "even", five).await;
    assert!(!refused.is_allowed);
    assert_eq!(
        (refused.remaining, refused.next_in),
        (0, Duration::from_secs(12))
    );
    assert_eq!(take(buckets, "another", five).await.remaining, 4);

    // A refusal does not delay the next token.
    clock.advance(TimeDelta::milliseconds(11_999));
    assert!(!take(buckets, "even", five).await.is_allowed);
    clock.advance(TimeDelta::milliseconds(1));
    assert!(take(buckets, "even", five).await.is_allowed);
    assert!(!take(buckets, "even", five).await.is_allowed);
    clock.advance(TimeDelta::hours(5));
    assert_eq!(
        take(buckets, "even", five).await.remaining,
        4,
        "no more than it holds"
    );
}

async fn a_token_that_is_given_back_is_there_again(buckets: &dyn Buckets) {
    let two = rate("2/h");
    buckets.give_back("back", two, 1).await.expect("answers");
    assert_eq!(
        take(buckets, "back", two).await.remaining,
        1,
        "a full bucket stays full"
    );
    assert_eq!(take(buckets, "back", two).await.remaining, 0);
    buckets.give_back("back", two, 1).await.expect("answers");
    let taken = take(buckets, "back", two).await;
    assert_eq!((taken.is_allowed, taken.remaining), (true, 0));
    assert!(!take(buckets, "back", two).await.is_allowed);
}

async fn a_call_takes_all_the_tokens_that_it_needs_or_none(buckets: &dyn Buckets) {
    let ten = rate("10/min");
    let take = async |tokens| buckets.take("several", ten, tokens).await.expect("answers");
    let taken = take(7).await;
    assert_eq!((taken.is_allowed, taken.remaining), (true, 3));
    let refused = take(5).await;
    assert_eq!((refused.is_allowed, refused.remaining), (false, 3));
    assert_eq!(refused.next_in, Duration::from_secs(12));
    assert_eq!(take(3).await.remaining, 0);
    let given = buckets.give_back("several", ten, 5).await;
    given.expect("answers");
    assert_eq!(take(5).await.remaining, 0);
    assert!(!take(1).await.is_allowed);
}

async fn of_many_at_once_no_more_pass_than_there_are_tokens(buckets: &dyn Buckets) {
    let seven = rate("7/h");
    let tries = (0..50).map(|_| take(buckets, "many", seven));
    let passed = futures::future::join_all(tries)
        .await
        .into_iter()
        .filter(|standing| standing.is_allowed)
        .count();
    assert_eq!(passed, 7);
}

async fn another_rate_never_locks_a_bucket_for_longer_than_its_own_time(buckets: &dyn Buckets) {
    take(buckets, "changed", rate("1/d")).await;
    let refused = take(buckets, "changed", rate("1/min")).await;
    assert!(!refused.is_allowed);
    assert!(refused.next_in <= Duration::from_mins(1), "{refused:?}");
}

async fn suite(buckets: &dyn Buckets, clock: &ManualClock) {
    a_bucket_gives_what_it_holds_and_fills_evenly(buckets, clock).await;
    a_token_that_is_given_back_is_there_again(buckets).await;
    a_call_takes_all_the_tokens_that_it_needs_or_none(buckets).await;
    of_many_at_once_no_more_pass_than_there_are_tokens(buckets).await;
    another_rate_never_locks_a_bucket_for_longer_than_its_own_time(buckets).await;
}

fn redis_url() -> String {
    testkit::environment("CITYGUIDE_TEST_REDIS_URL")
}

fn namespace() -> String {
    format!("test-{}", uuid(&OsEntropy))
}

#[tokio::test(flavor = "multi_thread")]
async fn in_process() {
    let clock = ManualClock::shared();
    suite(&InProcessBuckets::new(clock.clone()), &clock).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redis() {
    let clock = ManualClock::shared();
    let buckets = RedisBuckets::new(&redis_url(), "", &namespace(), clock.clone());
    suite(&buckets.expect("an address"), &clock).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn own_buckets_while_the_shared_ones_are_away() {
    let clock = ManualClock::shared();
    let away = RedisBuckets::new("redis://127.0.0.1:1", "", "away", clock.clone());
    let away = Arc::new(away.expect("an address"));
    suite(&FallbackBuckets::behind(away, clock.clone()), &clock).await;
}

#[tokio::test]
async fn processes_that_share_a_redis_share_their_buckets() {
    let (clock, namespace) = (ManualClock::shared(), namespace());
    let open =
        || RedisBuckets::new(&redis_url(), "", &namespace, clock.clone()).expect("an address");
    let (one, other) = (open(), open());
    let three = rate("3/h");
    assert_eq!(take(&one, "shared", three).await.remaining, 2);
    assert_eq!(take(&other, "shared", three).await.remaining, 1);
    assert_eq!(take(&one, "shared", three).await.remaining, 0);
    assert!(!take(&other, "shared", three).await.is_allowed);
}

#[tokio::test]
async fn a_bucket_that_is_full_again_leaves_nothing_in_redis() {
    let namespace = namespace();
    let buckets = RedisBuckets::new(&redis_url(), "", &namespace, Arc::new(SystemClock));
    let buckets = buckets.expect("an address");
    let each_minute = rate("60/h");
    take(&buckets, "brief", each_minute).await;
    let client = redis_client();
    let mut connection = client
        .get_multiplexed_async_connection()
        .await
        .expect("Redis");
    let key = format!("{namespace}:limit:brief");
    let expires_in: i64 = redis::cmd("PTTL")
        .arg(&key)
        .query_async(&mut connection)
        .await
        .expect("Redis");
    assert!((1..=60_000).contains(&expires_in), "{expires_in} ms");
    buckets
        .give_back("brief", each_minute, 1)
        .await
        .expect("answers");
    let is_there: bool = redis::cmd("EXISTS")
        .arg(&key)
        .query_async(&mut connection)
        .await
        .expect("Redis");
    assert!(!is_there);
}

fn redis_client() -> redis::Client {
    redis::Client::open(redis_url()).expect("an address")
}

#[tokio::test]
async fn redis_that_is_away_is_an_error() {
    let buckets = RedisBuckets::new("redis://127.0.0.1:1", "", "away", Arc::new(SystemClock));
    let buckets = buckets.expect("an address");
    buckets.take("a", rate("1/h"), 1).await.expect_err("away");
    buckets
        .give_back("a", rate("1/h"), 1)
        .await
        .expect_err("away");
}
