//! A circuit breaker: a service that does not respond in time is not called for a moment, so that an outage costs its
//! callers only the first few timeouts.

use std::{convert::Infallible, time::Duration};

use http::{Request, Response};
use tonic::{Code, Status, body::Body};
use tower::{Layer, ServiceExt};
use tower_resilience_circuitbreaker::{CircuitBreakerError, CircuitBreakerLayer, CircuitState};

use super::{Transport, server::grpc_code};

/// The number of consecutive timeouts after which the service is not called.
const TIMEOUTS: usize = 3;
/// The pause before a single call tests whether the service responds again. With a read timeout of one second, a
/// recovered service is used again within two.
const PAUSE: Duration = Duration::from_millis(500);

/// A transport that responds `UNAVAILABLE` immediately while the breaker is open. Only timeouts count: a service that
/// refuses connections or returns errors does so immediately.
#[expect(clippy::expect_used, reason = "the configuration is constant")]
pub(super) fn around(service: &str, inner: Transport) -> Transport {
    let label = service.to_owned();
    let open = metrics::gauge!("rpc_client_breaker_open", "callee" => label.clone());
    open.set(0.0);
    let spared = metrics::counter!("rpc_client_spared_calls_total", "callee" => label.clone());
    let layer = CircuitBreakerLayer::builder()
        .consecutive_failures(TIMEOUTS)
        .wait_duration_in_open(PAUSE)
        .permitted_calls_in_half_open(1)
        .failure_classifier(|answer: &Result<Response<Body>, Infallible>| {
            answer.as_ref().is_ok_and(is_late)
        })
        .on_state_transition(move |_, state| {
            if state == CircuitState::Open {
                tracing::warn!(
                    service = label,
                    "a service does not answer in time; it is not called for a moment"
                );
            } else if state == CircuitState::Closed {
                tracing::info!(service = label, "a service answers again");
            }
            open.set(if state == CircuitState::Closed {
                0.0
            } else {
                1.0
            });
        })
        .build()
        .expect("a valid configuration");
    let breaker = layer.layer(inner);
    Transport::new(move |request: Request<Body>| {
        let (breaker, spared) = (breaker.clone(), spared.clone());
        async move {
            match breaker.oneshot(request).await {
                Ok(answer) => answer,
                Err(CircuitBreakerError::Inner(never)) => match never {},
                Err(CircuitBreakerError::OpenCircuit) => {
                    spared.increment(1);
                    Status::unavailable("the service has not answered, and is asked again shortly")
                        .into_http()
                }
            }
        }
    })
}

fn is_late(answer: &Response<Body>) -> bool {
    grpc_code(answer).parse() == Ok(Code::DeadlineExceeded as i32)
}
