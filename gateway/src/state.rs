//! What handlers stand on.

use std::{ops::Deref, sync::Arc, time::Duration};

use axum::{extract::FromRef, response::Response};
use chassis::{
    blobs::Blobs,
    call::{Call, Caller},
    clock::SharedClock,
    entropy::{EntropyAhead, SharedEntropy},
    key::Key,
    lifecycle::Lifecycle,
    rpc::Transport,
};
use cityguide_proto::{
    bookmarks::v1::bookmarks_client::BookmarksClient,
    editorial::v1::editorial_client::EditorialClient,
    identity::v1::identity_client::IdentityClient, places::v1::places_client::PlacesClient,
};

use crate::{
    edge::{
        client_address::Network,
        error::ApiError,
        limits::Limits,
        public::{Address, Ageing, Asked, Made, PublicAnswers},
    },
    live::LiveUpdates,
    pages::Pages,
    settings::Origin,
    site::Site,
};

/// The transports to the services behind the gateway.
#[derive(Debug, Clone)]
pub struct Services {
    /// Accounts and sessions.
    pub identity: Transport,
    /// Places.
    pub places: Transport,
    /// What readers keep.
    pub bookmarks: Transport,
    /// Articles, events, contests, videos and pages.
    pub editorial: Transport,
}

impl Services {
    pub(crate) fn identity(&self) -> IdentityClient<Transport> {
        IdentityClient::new(self.identity.clone())
    }

    pub(crate) fn places(&self) -> PlacesClient<Transport> {
        PlacesClient::new(self.places.clone())
    }

    pub(crate) fn bookmarks(&self) -> BookmarksClient<Transport> {
        BookmarksClient::new(self.bookmarks.clone())
    }

    pub(crate) fn editorial(&self) -> EditorialClient<Transport> {
        EditorialClient::new(self.editorial.clone())
    }
}

/// What handlers need. Every layer and handler holds it, so its clones are one.
#[derive(Clone)]
pub(crate) struct Edge(Arc<Surroundings>);

impl Deref for Edge {
    type Target = Surroundings;

    fn deref(&self) -> &Surroundings {
        &self.0
    }
}

/// What the gateway stands on.
pub(crate) struct Surroundings {
    pub(crate) services: Services,
    pub(crate) origin: Origin,
    pub(crate) site: Arc<Site>,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    /// Where ids of requests come from.
    pub(crate) ids: EntropyAhead,
    /// Whether spans are sent anywhere.
    pub(crate) is_traced: bool,
    pub(crate) limits: Limits,
    pub(crate) trusted_proxies: Arc<[Network]>,
    /// Signs the cookies of known devices.
    pub(crate) device_key: Key,
    pub(crate) public: PublicAnswers,
    pub(crate) live: LiveUpdates,
    pub(crate) pages: Arc<Pages>,
    pub(crate) blobs: Blobs,
    pub(crate) life: Lifecycle,
    pub(crate) patience: Duration,
}

impl Edge {
    pub(crate) fn new(surroundings: Surroundings) -> Self {
        Self(Arc::new(surroundings))
    }

    /// Answers a request with content that is the same for everyone, kept or computed here.
    pub(crate) async fn serve<F>(
        &self,
        asked: &Asked,
        address: Address,
        ageing: Ageing,
        compute: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<Response, ApiError>
    where
        F: Future<Output = Result<Made, ApiError>> + Send + 'static,
    {
        let edge = self.clone();
        let compute = move || compute(edge);
        self.public.serve(asked, address, ageing, compute).await
    }

    /// A call that ends within the request's time.
    pub(crate) fn call(&self, caller: Caller) -> Call {
        Call::new(caller, self.patience)
    }
}

impl FromRef<Edge> for Origin {
    fn from_ref(edge: &Edge) -> Self {
        edge.origin.clone()
    }
}
