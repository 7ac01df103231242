//! Retries any call that no service has handled: whenever a replica stops, a connection may close between the caller's
//! check and the request (gRFC A6, "transparent retries"). A request that may have been handled is not retried here.

mod body;

use std::{
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

use cityguide_proto::Contract;
use http::{Request, Response};
use http_body::Body as _;
use tonic::body::Body;
use tower::{
    Service, ServiceExt,
    retry::{
        Policy, Retry,
        budget::{Budget, TpsBudget},
    },
};

use body::Repeatable;

/// The maximum number of attempts to send a request.
const ATTEMPTS: u32 = 4;
/// No retries are made after this time: if connections hang rather than being refused, the service is unavailable.
const TRIES_FOR: Duration = Duration::from_millis(500);
/// The maximum pause before the second attempt; it doubles with each attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// The maximum ratio of retries to calls, counted over some seconds, so that a service that is down does not get more
/// load.
const SHARE: f32 = 0.2;
const COUNTED_OVER: Duration = Duration::from_secs(10);
/// The number of retries per second that are always allowed, for callers with few calls.
const ALWAYS: u32 = 10;

/// A channel that retries requests that were not handled. The caller limits the total time.
pub(super) fn retrying<S>(
    channel: S,
    contract: Contract,
) -> impl Service<Request<Body>, Response = Response<Body>, Error = S::Error, Future: Send>
+ Clone
+ Send
+ Sync
+ 'static
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Error + Send + 'static,
{
    let policy = Unsent {
        contract,
        begun: Instant::now(),
        made: 0,
        budget: Arc::new(TpsBudget::new(COUNTED_OVER, ALWAYS, SHARE)),
    };
    let send = tower::service_fn(move |request: Request<Repeatable>| {
        channel.clone().oneshot(request.map(Body::new))
    });
    let send = Retry::new(policy, send);
    tower::service_fn(move |request: Request<Body>| {
        send.clone().oneshot(request.map(Repeatable::new))
    })
}

/// The policy that retries unhandled requests.
#[derive(Clone)]
struct Unsent {
    contract: Contract,
    begun: Instant,
    /// The number of retries of this request so far.
    made: u32,
    /// Shared by all requests to a service.
    budget: Arc<TpsBudget>,
}

impl<E: Error + 'static> Policy<Request<Repeatable>, Response<Body>, E> for Unsent {
    type Future = tokio::time::Sleep;

    fn retry(
        &mut self,
        request: &mut Request<Repeatable>,
        answer: &mut Result<Response<Body>, E>,
    ) -> Option<Self::Future> {
        let error = answer.as_ref().err()?;
        let unsent =
            request.body().is_untouched() || (request.body().is_whole() && was_refused(error));
        let tries = self.made + 1 < ATTEMPTS && self.begun.elapsed() < TRIES_FOR;
        if !(unsent && tries && self.budget.withdraw()) {
            return None;
        }
        let rpc = self.contract.call_name(request.uri().path());
        tracing::debug!(rpc, %error, "a request was not sent; sending it again");
        metrics::counter!("rpc_client_again_total", "rpc" => rpc).increment(1);
        let longest = FIRST_PAUSE * 2_u32.pow(self.made);
        self.made += 1;
        Some(tokio::time::sleep(
            longest.mul_f64(rand::random_range(0.5..=1.0)),
        ))
    }

    fn clone_request(&mut self, request: &Request<Repeatable>) -> Option<Request<Repeatable>> {
        if self.made == 0 {
            self.begun = Instant::now();
            self.budget.deposit();
        }
        // An empty body is never read, so it does not show whether the request was sent.
        (!request.body().is_end_stream()).then(|| request.clone())
    }
}

/// Whether the service's end of the connection reported that it did not begin to process the request (RFC 9113, section
/// 8.7): it was shutting down, and the request arrived after the last accepted one.
fn was_refused(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source())
        .filter_map(|error| error.downcast_ref::<h2::Error>())
        .any(|error| {
            let refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
            let left = error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR);
            error.is_remote() && (refused || left)
        })
}
