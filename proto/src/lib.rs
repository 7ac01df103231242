//! The contracts of the services, generated from `cityguide/<service>/v1/*.proto`, and the events
//! they publish. There is no hand-written code here: a service's rules live in the service.
#![expect(
    missing_docs,
    reason = "generated; the documentation is in the .proto files"
)]
#![expect(clippy::pedantic, clippy::large_enum_variant, reason = "generated")]

macro_rules! package {
    ($($name:ident),*) => {$(
        pub mod $name {
            pub mod v1 {
                include!(concat!(env!("OUT_DIR"), "/cityguide.", stringify!($name), ".v1.rs"));
            }
        }
    )*};
}

pub mod cityguide {
    package!(
        bookmarks, editorial, events, identity, intake, paging, places
    );
}

pub use cityguide::{bookmarks, editorial, events, identity, intake, paging, places};
