//! The services behind the gateway, and how handlers call them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chassis::{
    call::{Call, Caller},
    error::Fault,
    role::Callees,
    rpc::Transport,
};
use cityguide_proto as proto;

/// Makes the table of transports and the clients, from one line per service.
macro_rules! services {
    ($($name:ident: $client:ty),* $(,)?) => {
        /// The transports to the services behind the gateway.
        #[derive(Debug, Clone)]
        pub struct Services {
            $($name: Transport,)*
        }

        impl Services {
            /// The services among these that the gateway calls; refuses a table that lacks one.
            pub fn connect(callees: &Callees) -> Result<Self, Fault> {
                Ok(Self { $($name: callees.get(stringify!($name))?,)* })
            }
        }

        impl Clients {
            $(pub(crate) fn $name(&self) -> $client {
                <$client>::new(self.services.$name.clone())
            })*
        }
    };
}

services! {
    identity: proto::identity::v1::identity_client::IdentityClient<Transport>,
    places: proto::places::v1::places_client::PlacesClient<Transport>,
    bookmarks: proto::bookmarks::v1::bookmarks_client::BookmarksClient<Transport>,
    editorial: proto::editorial::v1::editorial_client::EditorialClient<Transport>,
}

impl Clients {
    /// Readers' votes, which the service of places keeps.
    pub(crate) fn ratings(&self) -> proto::places::v1::ratings_client::RatingsClient<Transport> {
        proto::places::v1::ratings_client::RatingsClient::new(self.services.places.clone())
    }
}

/// The services' clients, with the timeout of requests. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Clients {
    services: Arc<Services>,
    timeout: Duration,
}

impl Clients {
    pub(crate) fn new(services: Services, timeout: Duration) -> Self {
        Self {
            services: Arc::new(services),
            timeout,
        }
    }

    /// When all the calls made for a request must have ended.
    pub(crate) fn deadline(&self, begun: Instant) -> Instant {
        begun + self.timeout
    }

    /// The context of calls made for one request; all of them together end within its timeout.
    pub(crate) fn call(&self, caller: Caller) -> Call {
        Call::new(caller, self.timeout)
    }
}
