//! Replays of cached request lines.

use super::*;

#[tokio::test]
async fn a_line_is_replayed_while_its_answer_is_fresh() {
    let (desk, line) = (Desk::new(), Line::new());
    assert_eq!(line.word(&desk).await, None);
    line.routed(&desk, &plain()).await;
    let first = desk.ask_for(1, &plain()).await.expect("answers");
    let replay = line.replay(&desk, &[]).expect("known");
    assert_eq!(replay.status(), first.status());
    assert_eq!(replay.headers(), first.headers());
    assert_eq!(word_of(replay).await, "one");
    desk.says(Ok("two"));
    desk.clock.advance(TimeDelta::seconds(60));
    assert_eq!(line.word(&desk).await.as_deref(), Some("one"));
    desk.clock.advance(TimeDelta::seconds(1));
    assert_eq!(line.word(&desk).await, None);
    line.routed(&desk, &plain()).await;
    desk.settle().await;
    line.routed(&desk, &plain()).await;
    assert_eq!(line.word(&desk).await.as_deref(), Some("two"));
}

#[tokio::test]
async fn a_line_whose_answer_may_have_changed_passes_the_routes() {
    let (desk, line) = (Desk::new(), Line::new());
    line.routed(&desk, &plain()).await;
    desk.says(Ok("two"));
    desk.hear_of_listings(&[1]).await;
    assert_eq!(line.word(&desk).await, None);
    line.routed(&desk, &plain()).await;
    assert_eq!(line.word(&desk).await.as_deref(), Some("two"));
    desk.cache.resumed().await;
    assert_eq!(line.word(&desk).await, None);
}

#[tokio::test]
async fn each_encoding_and_each_304_has_a_head_of_its_own() {
    let (desk, line) = (Desk::new(), Line::new());
    line.routed(&desk, &plain()).await;
    let brotli = (
        http::header::ACCEPT_ENCODING,
        HeaderValue::from_static("br"),
    );
    assert!(line.replay(&desk, std::slice::from_ref(&brotli)).is_none());
    let request = PublicRequest {
        encoding: Encoding::Brotli,
        ..plain()
    };
    line.routed(&desk, &request).await;
    let replay = line
        .replay(&desk, std::slice::from_ref(&brotli))
        .expect("known");
    assert_eq!(replay.headers()[CONTENT_ENCODING], "br");
    let tag = replay.headers()[ETAG].clone();
    let known = [brotli, (http::header::IF_NONE_MATCH, tag.clone())];
    assert!(line.replay(&desk, &known).is_none());
    let request = PublicRequest {
        if_none_match: Some(tag.clone()),
        ..request
    };
    line.routed(&desk, &request).await;
    let replay = line.replay(&desk, &known).expect("known");
    assert_eq!(replay.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(replay.headers()[ETAG], tag);
    assert_eq!(
        word_of(line.replay(&desk, &[]).expect("known")).await,
        "one"
    );
}

#[tokio::test]
async fn personal_responses_and_long_lines_are_not_replayed() {
    let (desk, line) = (Desk::new(), Line::new());
    let mut response = desk.ask_for(1, &plain()).await.expect("answers");
    let cookie = HeaderValue::from_static("session=of-one");
    response
        .headers_mut()
        .insert(http::header::SET_COOKIE, cookie);
    desk.cache.remember(&line.0, &response);
    assert!(line.replay(&desk, &[]).is_none());
    desk.cache.remember(&line.0, &Response::new(Body::empty()));
    assert!(line.replay(&desk, &[]).is_none());
    let long = format!("/l/1/?{}", "x".repeat(512));
    let long = Line(long.parse().expect("a line"));
    long.routed(&desk, &plain()).await;
    assert!(long.replay(&desk, &[]).is_none());
}

#[tokio::test]
async fn a_replayed_answer_outlives_a_flood_of_others() {
    let (desk, line) = (Desk::new(), Line::new());
    line.routed(&desk, &plain()).await;
    for id in 2..6_000 {
        desk.ask_for(id, &plain()).await.expect("answers");
        assert!(line.replay(&desk, &[]).is_some(), "evicted after {id}");
    }
    desk.cache.entries.run_pending_tasks();
    assert!(desk.cache.entries.entry_count() < 5_000, "no flood");
}
