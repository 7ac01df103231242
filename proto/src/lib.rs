//! The events that services publish, with their exchanges and keys, and the messages shared by several contracts. The
//! contracts of each service are in a separate crate (`proto/cityguide/<service>`), so that a change rebuilds only that
//! service and its callers.

mod contract;
mod routing;

pub use contract::Contract;
pub use generated::cityguide::*;
pub use routing::{exchange, key};

#[allow(
    clippy::all,
    reason = "generated; the documentation is in the .proto files"
)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/packages.rs"));
}

/// The body of a crate with a service's contracts: its generated code, and its calls as `CONTRACT`.
#[macro_export]
macro_rules! contract {
    ($package:ident) => {
        pub use generated::cityguide::$package::*;

        /// The calls of the service.
        pub const CONTRACT: $crate::Contract =
            $crate::Contract::new(&include!(concat!(env!("OUT_DIR"), "/calls.rs")));

        #[allow(
            clippy::all,
            reason = "generated; the documentation is in the .proto files"
        )]
        mod generated {
            include!(concat!(env!("OUT_DIR"), "/packages.rs"));
        }
    };
}
