//! Computations shared by several requests.

use testkit::woken::Woken;

use super::*;

#[tokio::test]
async fn simultaneous_and_later_requests_share_one_computation() {
    let desk = Desk::new();
    let closed = desk.thing.gate.forget_permits(Semaphore::MAX_PERMITS);
    let asking = futures::future::join_all((0..500).map(|_| desk.ask()));
    let opening = async {
        desk.settle().await;
        desk.thing.gate.add_permits(closed);
    };
    let (words, ()) = tokio::join!(asking, opening);
    assert!(words.iter().all(|word| word == "one"));
    assert_eq!(desk.ask().await, "one");
    assert_eq!(desk.computed(), 1);
}

#[tokio::test]
async fn a_computation_goes_on_when_its_request_gives_up() {
    let desk = Desk::new();
    let closed = desk.thing.gate.forget_permits(Semaphore::MAX_PERMITS);
    let request = plain();
    let first = tokio::time::timeout(
        std::time::Duration::from_millis(20),
        desk.ask_for(1, &request),
    );
    assert!(first.await.is_err());
    desk.thing.gate.add_permits(closed);
    desk.settle().await;
    let key = CacheKey::one(PATH, 1, &[Tag::Areas]);
    assert!(matches!(desk.cache.look_up(&key), Lookup::Fresh(_)));
    assert_eq!(desk.ask().await, "one");
    assert_eq!(desk.computed(), 1);
}

#[tokio::test]
async fn who_computes_an_answer_is_not_woken_by_its_end() {
    let desk = Desk::new();
    let closed = desk.thing.gate.forget_permits(Semaphore::MAX_PERMITS);
    let request = plain();
    let woken = Arc::new(Woken::default());
    let mut asking = std::pin::pin!(desk.ask_for(1, &request));
    assert!(woken.poll(asking.as_mut()).is_pending());
    desk.thing.gate.add_permits(closed);
    assert_eq!(woken.count(), 1, "by what it waits for");
    assert!(woken.poll(asking.as_mut()).is_ready());
    assert_eq!(woken.count(), 1);
}

#[tokio::test]
async fn a_computation_has_neither_the_deadline_nor_the_actor_of_its_first_request() {
    let desk = Desk::new();
    let seen = Arc::new(std::sync::Mutex::new(None));
    let note = Arc::clone(&seen);
    let compute = async move || {
        *note.lock().expect("no panic") = Some((deadline(), Actor::current()));
        Content::json(&json!({"word": "one"}))
    };
    let request = plain();
    let key = CacheKey::one(PATH, 1, &[Tag::Areas]);
    let answer = desk.cache.serve(&request, key, Freshness::Usual, compute);
    let soon = std::time::Instant::now() + std::time::Duration::from_secs(5);
    let answer = with_deadline(soon, with_actor(Actor::client("203.0.113.0/24"), answer));
    answer.await.expect("answers");
    let seen = seen.lock().expect("no panic").take();
    assert_eq!(seen, Some((None, Actor::default())));
}

#[tokio::test]
async fn a_panic_is_an_error_for_all_who_wait_and_the_next_request_computes_anew() {
    let desk = Desk::new();
    let request = plain();
    let ask = || {
        let key = CacheKey::one(PATH, 1, &[Tag::Areas]).tagged(Tag::Listing(1));
        let compute = async || {
            tokio::task::yield_now().await;
            panic!("it does not work")
        };
        desk.cache.serve(&request, key, Freshness::Usual, compute)
    };
    let (one, other) = tokio::join!(ask(), ask());
    for answer in [one, other] {
        let error = answer.expect_err("an error");
        assert_eq!(error.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
    assert_eq!(desk.ask().await, "one");
}
