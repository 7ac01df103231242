//! The app state. Handlers and layers extract the parts that they need, with `State<…>` or as an extractor. Only
//! handlers of readers' own data take the complete state.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use chassis::{
    blobs::AddressSigner, clock::SharedClock, entropy::SharedEntropy, lifecycle::Lifecycle,
    origin::Origin, trace::ClientTraces,
};
use site::Site;

use crate::{
    ads::AdServer,
    catalogue::Catalogue,
    edge::{limits::Limits, request_scope::RequestIds, sign_in::SignInGuard, upload::Uploads},
    live::LiveUpdates,
    media::{hot::HotPictures, signed::PictureAddresses},
    page_reports::PageReports,
    services::Clients,
};

/// The state of the router. Clones share one allocation, because every layer and handler has a clone.
#[derive(Clone)]
pub(crate) struct AppState(Arc<StateParts>);

/// The parts of the app state.
pub(crate) struct StateParts {
    pub(crate) services: Clients,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) site: Arc<Site>,
    pub(crate) origin: Origin,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) request_ids: RequestIds,
    pub(crate) limits: Limits,
    pub(crate) sign_in_guard: SignInGuard,
    pub(crate) live: LiveUpdates,
    pub(crate) addresses: AddressSigner,
    pub(crate) pictures: HotPictures,
    pub(crate) uploads: Uploads,
    pub(crate) ads: AdServer,
    pub(crate) traces: ClientTraces,
    pub(crate) reports: PageReports,
    pub(crate) life: Lifecycle,
}

impl AppState {
    pub(crate) fn new(parts: StateParts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for AppState {
    type Target = StateParts;

    fn deref(&self) -> &StateParts {
        &self.0
    }
}

impl FromRef<AppState> for PictureAddresses {
    fn from_ref(state: &AppState) -> Self {
        state.catalogue.pictures.clone()
    }
}

/// Makes a part of the state extractable by its type.
macro_rules! part {
    ($field:ident: $part:ty) => {
        impl FromRef<AppState> for $part {
            fn from_ref(state: &AppState) -> Self {
                state.$field.clone()
            }
        }
    };
}

part!(services: Clients);
part!(catalogue: Arc<Catalogue>);
part!(origin: Origin);
part!(clock: SharedClock);
part!(request_ids: RequestIds);
part!(limits: Limits);
part!(sign_in_guard: SignInGuard);
part!(addresses: AddressSigner);
part!(pictures: HotPictures);
part!(uploads: Uploads);
part!(ads: AdServer);
part!(traces: ClientTraces);
part!(reports: PageReports);
