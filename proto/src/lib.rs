//! The contracts of the services, generated from `cityguide/<service>/v1/*.proto`, and the events
//! they publish. A service's rules live in the service.

mod calls;
mod routing;

pub use calls::{call_name, is_read};
pub use generated::cityguide::*;
pub use routing::{exchange, key};

#[expect(
    missing_docs,
    reason = "generated; the documentation is in the .proto files"
)]
#[expect(clippy::pedantic, clippy::large_enum_variant, reason = "generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/packages.rs"));
}
