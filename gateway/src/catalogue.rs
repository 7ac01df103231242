//! State of the handlers whose responses are the same for everyone: public API resources, feeds and pages.

use std::sync::Arc;

use axum::response::Response;
use chassis::{call::Caller, clock::SharedClock, origin::Origin};
use site::Site;
use tonic::Request;

use crate::{
    edge::{
        error::ApiError,
        public::{CacheKey, Content, Freshness, PublicCache, PublicRequest},
    },
    media::signed::PictureAddresses,
    services::Clients,
    suggester::Suggester,
    words::this_year::ThisYear,
};

/// Sources of public responses: the services, the site's own settings and the cache.
#[derive(Clone)]
pub(crate) struct Catalogue {
    pub(crate) services: Clients,
    pub(crate) site: Arc<Site>,
    pub(crate) origin: Origin,
    pub(crate) clock: SharedClock,
    pub(crate) cache: PublicCache,
    pub(crate) suggester: Suggester,
    /// Builds the addresses of readers' photos.
    pub(crate) pictures: PictureAddresses,
}

impl Catalogue {
    /// Responds from the cache, or with the result of `compute`.
    pub(crate) async fn serve<F>(
        self: &Arc<Self>,
        request: &PublicRequest,
        key: CacheKey,
        freshness: Freshness,
        compute: impl FnOnce(Arc<Self>) -> F + Send + 'static,
    ) -> Result<Response, ApiError>
    where
        F: Future<Output = Result<Content, ApiError>> + Send + 'static,
    {
        let catalogue = Arc::clone(self);
        let compute = move || compute(catalogue);
        self.cache.serve(request, key, freshness, compute).await
    }

    /// The year that dates in responses omit.
    pub(crate) fn this_year(&self) -> ThisYear {
        ThisYear::new(self.clock.now(), self.site.timezone)
    }

    /// Builds a service request on behalf of a guest, as public responses do not depend on the reader.
    pub(crate) fn request<T>(&self, message: T) -> Request<T> {
        self.services.call(Caller::Guest).request(message)
    }
}
