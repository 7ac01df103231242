//! The outermost service. It replays cached responses and passes all other requests to the layers and routes.

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

use axum::{Router, extract::Request, response::Response};
use chassis::trace::ClientTraces;
use futures::{
    FutureExt,
    future::{BoxFuture, Either, Ready, ready},
};
use http::{HeaderMap, Method};
use tower::Service;
use tracing::{Level, Span};

use super::{
    public::{PublicCache, Replay},
    request_scope::{self, RequestIds},
};

/// The gateway's router behind the replay of public responses. The server clones the service for each request, so its
/// parts share one allocation.
#[derive(Clone)]
pub struct ReplayService {
    parts: Arc<Parts>,
    routes: Router,
}

struct Parts {
    cache: PublicCache,
    ids: RequestIds,
    traces: ClientTraces,
}

chassis::opaque_debug!(ReplayService);

impl ReplayService {
    pub(crate) fn new(
        cache: PublicCache,
        ids: RequestIds,
        traces: ClientTraces,
        routes: Router,
    ) -> Self {
        let parts = Parts { cache, ids, traces };
        Self {
            parts: Arc::new(parts),
            routes,
        }
    }
}

impl Parts {
    fn finish(&self, replay: Replay, headers: &HeaderMap, begun: Instant) -> Response {
        let Replay {
            mut response,
            route,
            duration,
        } = replay;
        let id = self.ids.next();
        // Recording a span would double the time of a replay.
        let is_recorded = self.traces.are_exported() || tracing::enabled!(Level::DEBUG);
        let span = if is_recorded {
            request_scope::span(&Method::GET, &route, id)
        } else {
            Span::none()
        };
        self.traces
            .continue_in(&span, || request_scope::client_trace(headers));
        request_scope::end(&span, &mut response, id);
        duration.record(begun.elapsed());
        response
    }
}

impl Service<Request> for ReplayService {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Ready<Answered>, BoxFuture<'static, Answered>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // A router is always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let begun = Instant::now();
        let line = request.uri().path_and_query();
        let line = line.filter(|_| *request.method() == Method::GET);
        let parts = &self.parts;
        if let Some(replay) = line.and_then(|line| parts.cache.replay(line, request.headers())) {
            return Either::Left(ready(Ok(parts.finish(replay, request.headers(), begun))));
        }
        // Only responses to `GET` are cached, so other methods do not need the cache.
        let remembering = line.map(|line| (line.clone(), Arc::clone(parts)));
        let answering = self.routes.call(request);
        let answered = async move {
            let response = answering.await?;
            if let Some((line, parts)) = remembering {
                parts.cache.remember(&line, &response);
            }
            Ok(response)
        };
        Either::Right(answered.boxed())
    }
}

type Answered = Result<Response, Infallible>;
