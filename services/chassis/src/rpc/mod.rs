//! Calls between services: a generated client over a [`Transport`], which is the service's own routes if it runs in
//! this process and a lazily connected channel otherwise. The same layers wrap both, so that a call behaves the same
//! wherever its service runs.

mod breaker;
mod client;
mod deadline;
mod one_task;
mod server;
mod tls;
mod unsent;

pub use client::{MIN_TIME, Outgoing, local, remote};
pub use server::{Guard, guarded, serve, together};
pub use tls::{Tls, TlsSettings};

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::body::Body;
use tower::Service;

type Answering = BoxFuture<'static, Result<Response<Body>, Infallible>>;

/// The transport of generated clients. It never fails: if a service cannot be reached, it returns a gRPC status. Clones
/// share the layers, because each call makes several clones, and tower's boxed services would copy all layers each
/// time.
#[derive(Clone)]
pub struct Transport {
    answer: Arc<dyn Fn(Request<Body>) -> Answering + Send + Sync>,
}

impl Transport {
    /// A transport whose calls are answered by this function.
    pub fn new<F>(answer: impl Fn(Request<Body>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Response<Body>> + Send + 'static,
    {
        Self {
            answer: Arc::new(move |request| {
                let answering = answer(request);
                Box::pin(async move { Ok(answering.await) })
            }),
        }
    }
}

crate::opaque_debug!(Transport);

impl Service<Request<Body>> for Transport {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answering {
        (self.answer)(request)
    }
}
