//! How services call each other: a generated client over a [`Transport`], which is the service's own
//! routes where it runs in this process and a lazy channel elsewhere. One stack of layers stands
//! around both, so that a call behaves alike wherever its service runs.

mod client;
mod deadline;
mod server;
mod tls;

pub use client::{local, remote};
pub use server::{Guard, guarded, serve, together};
pub use tls::{Tls, TlsSettings};

use tower::util::BoxCloneSyncService;

/// What a generated client calls through. It always answers: a service that cannot be reached is a
/// gRPC status too.
pub type Transport = BoxCloneSyncService<
    http::Request<tonic::body::Body>,
    http::Response<tonic::body::Body>,
    std::convert::Infallible,
>;
