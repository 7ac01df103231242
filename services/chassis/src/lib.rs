//! The foundation of every service, with all mechanisms that services share: settings, telemetry, lifecycle, the rpc
//! transport, PostgreSQL with outbox and inbox, the bus, the cache, limits, errors and paging. It does not depend on
//! any service or HTTP resource.

pub mod actor;
pub mod batcher;
pub mod blobs;
pub mod blocks;
pub mod bulkhead;
pub mod bus;
pub mod cache;
pub mod call;
pub mod clock;
pub mod computing;
pub mod dates;
pub mod digest;
pub mod email;
pub mod entropy;
pub mod error;
pub mod fetch;
pub mod form;
pub mod instant;
pub mod intake;
pub mod keys;
pub mod lifecycle;
pub mod limits;
pub mod mail;
pub mod markup;
pub mod network;
pub mod origin;
pub mod paging;
pub mod postgres;
pub mod readers;
pub mod recurrence;
mod redis_server;
pub mod role;
pub mod rpc;
pub mod sealed;
mod server_tls;
pub mod settings;
pub mod signing;
pub mod slug;
pub mod telemetry;
pub mod text;
pub mod third_party;
pub mod trace;
pub mod wakes;

pub use chassis_macros::sql;

/// The version of this program: the release's (`1.2.3`), or the workspace's in a build that is not released.
pub const VERSION: &str = match option_env!("CITYGUIDE_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// Implements `Debug` for a type whose contents are secret or too long for a log line: it writes only the type's name.
#[macro_export]
macro_rules! opaque_debug {
    ($name:ident) => {
        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
