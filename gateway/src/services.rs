//! The services behind the gateway, and how handlers call them.

use std::{sync::Arc, time::Duration};

use chassis::{
    call::{Call, Caller},
    rpc::Transport,
};
use cityguide_proto::{
    bookmarks::v1::bookmarks_client::BookmarksClient,
    editorial::v1::editorial_client::EditorialClient,
    identity::v1::identity_client::IdentityClient, places::v1::places_client::PlacesClient,
};

/// The transports to the services behind the gateway.
#[derive(Debug, Clone)]
pub struct Services {
    /// Accounts and sessions.
    pub identity: Transport,
    /// Places.
    pub places: Transport,
    /// Readers' bookmarks.
    pub bookmarks: Transport,
    /// Articles, events, contests, videos and pages.
    pub editorial: Transport,
}

/// The services' clients, with the timeout of the calls to them. Cheap to clone.
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

    /// The context of the calls made for one request: they end within the request's timeout.
    pub(crate) fn call(&self, caller: Caller) -> Call {
        Call::new(caller, self.timeout)
    }

    pub(crate) fn identity(&self) -> IdentityClient<Transport> {
        IdentityClient::new(self.services.identity.clone())
    }

    pub(crate) fn places(&self) -> PlacesClient<Transport> {
        PlacesClient::new(self.services.places.clone())
    }

    pub(crate) fn bookmarks(&self) -> BookmarksClient<Transport> {
        BookmarksClient::new(self.services.bookmarks.clone())
    }

    pub(crate) fn editorial(&self) -> EditorialClient<Transport> {
        EditorialClient::new(self.services.editorial.clone())
    }
}
