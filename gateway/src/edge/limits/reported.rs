//! Reports rate limits in response headers.

use std::sync::{Arc, Mutex, PoisonError};

use axum::{extract::Request, middleware::Next, response::Response};
use chassis::limits::BucketState;
use http::{HeaderMap, HeaderName, HeaderValue};
use utoipa::IntoResponses;

use super::buckets::{TakenToken, whole_seconds};
use crate::edge::error::ErrorBody;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The limits that a response reports in its headers.
#[derive(Debug, Clone, Default)]
pub(super) struct Reported(Arc<Mutex<Vec<(&'static str, BucketState)>>>);

impl Reported {
    /// Adds the state of a bucket.
    pub(super) fn add(&self, token: &TakenToken) {
        let mut reported = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reported.push((token.limit.name, token.standing));
    }

    fn write(&self, headers: &mut HeaderMap) {
        let reported = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let list = |item: fn(&(&'static str, BucketState)) -> String| {
            let items: Vec<String> = reported.iter().map(item).collect();
            HeaderValue::from_str(&items.join(", ")).ok()
        };
        if reported.is_empty() {
            return;
        }
        if let Some(policy) = list(|(name, BucketState { rate, .. })| {
            format!(
                "\"{name}\";q={};w={}",
                rate.count(),
                rate.window().as_secs()
            )
        }) {
            headers.insert(POLICY, policy);
        }
        if let Some(limit) = list(|(name, standing)| {
            let reset = whole_seconds(standing.full_in);
            format!("\"{name}\";r={};t={reset}", standing.remaining)
        }) {
            headers.insert(LIMIT, limit);
        }
    }
}

/// Adds the limits that a call was counted against to its response.
pub(crate) async fn report(mut request: Request, next: Next) -> Response {
    let reported = Reported::default();
    request.extensions_mut().insert(reported.clone());
    let mut response = next.run(request).await;
    reported.write(response.headers_mut());
    response
}

/// 429 for the OpenAPI document.
#[derive(IntoResponses)]
#[response(
    status = 429,
    description = "Too many tries.",
    headers(
        ("Retry-After" = u64, description = "Seconds until there is room again."),
        ("RateLimit-Policy" = String, description = "\"sign-in\";q=10;w=60: each limit's quota and seconds."),
        ("RateLimit" = String, description = "\"sign-in\";r=0;t=60: the remaining requests, and the seconds until the bucket is full."),
    )
)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct TooMany(ErrorBody);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn limits_are_reported_as_lists_of_structured_items() {
        let standing = |text: &str, remaining, full_in| BucketState {
            rate: text.parse().expect("a rate"),
            is_allowed: true,
            remaining,
            next_in: Duration::ZERO,
            full_in: Duration::from_millis(full_in),
        };
        let reported = Reported::default();
        let mut headers = HeaderMap::new();
        reported.write(&mut headers);
        assert!(headers.is_empty());
        *reported.0.lock().expect("no panic") = vec![
            ("sign-in", standing("10/min", 9, 5_001)),
            ("failed-sign-in", standing("5/5min", 4, 60_000)),
        ];
        reported.write(&mut headers);
        assert_eq!(
            headers[POLICY],
            "\"sign-in\";q=10;w=60, \"failed-sign-in\";q=5;w=300"
        );
        assert_eq!(
            headers[LIMIT],
            "\"sign-in\";r=9;t=6, \"failed-sign-in\";r=4;t=60"
        );
    }
}
