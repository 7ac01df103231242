//! The first that a request meets: what was answered before is answered again at once, everything else
//! goes through the layers and the routes.

use std::{
    convert::Infallible,
    task::{Context, Poll},
    time::Instant,
};

use axum::{Router, extract::Request, response::Response};
use futures::{
    FutureExt,
    future::{BoxFuture, Either, Ready, ready},
};
use http::Method;
use tower::Service;
use tracing::{Level, Span};

use super::{public::Again, request_scope};
use crate::state::Edge;

/// The edge as connections see it.
#[derive(Clone)]
pub struct Front {
    edge: Edge,
    routes: Router,
}

impl std::fmt::Debug for Front {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Front").finish_non_exhaustive()
    }
}

impl Front {
    /// Before these routes.
    pub(crate) fn of(edge: Edge, routes: Router) -> Self {
        Self { edge, routes }
    }

    fn give(&self, again: Again, begun: Instant) -> Response {
        let Again {
            mut response,
            route,
            duration,
        } = again;
        let id = request_scope::id(&self.edge.ids);
        // It takes as long as all the rest.
        let is_seen = self.edge.is_traced || tracing::enabled!(Level::DEBUG);
        let span = if is_seen {
            request_scope::span(&Method::GET, &route, id)
        } else {
            Span::none()
        };
        request_scope::end(&span, &mut response, id);
        duration.record(begun.elapsed());
        response
    }
}

impl Service<Request> for Front {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Ready<Answered>, BoxFuture<'static, Answered>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // So is a router, always.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let begun = Instant::now();
        let line = request.uri().path_and_query();
        let line = line.filter(|_| *request.method() == Method::GET);
        let public = &self.edge.public;
        if let Some(again) = line.and_then(|line| public.again(line, request.headers())) {
            return Either::Left(ready(Ok(self.give(again, begun))));
        }
        let (line, edge) = (line.cloned(), self.edge.clone());
        let answering = self.routes.call(request);
        let answered = async move {
            let response = answering.await?;
            if let Some(line) = line {
                edge.public.remember(&line, &response);
            }
            Ok(response)
        };
        Either::Right(answered.boxed())
    }
}

type Answered = Result<Response, Infallible>;
