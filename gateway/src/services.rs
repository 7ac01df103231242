//! Clients for the services that the gateway calls.

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
use cityguide_proto::readers::v1::{ExportRequest, ExportResponse};
use tonic::{Request, Response, Status};

/// Generates the transports to the services and the clients of each.
macro_rules! services {
    ($($service:ident { $($client:ident: $($path:ident)::+),+ $(,)? })+) => {
        /// Transports to the services that the gateway calls.
        #[derive(Debug, Clone)]
        pub struct Services {
            $($service: Transport,)+
        }

        impl Services {
            /// Selects the transports of the required services; fails if one is missing.
            pub fn connect(callees: &Callees) -> Result<Self, Fault> {
                Ok(Self { $($service: callees.get(stringify!($service))?,)+ })
            }
        }

        impl Clients {
            $($(pub(crate) fn $client(&self) -> $($path)::+<Transport> {
                $($path)::+::new(self.services.$service.clone())
            })+)+
        }
    };
}

services! {
    identity {
        identity: identity_proto::v1::identity_client::IdentityClient,
        calendar_feeds: identity_proto::v1::calendar_feeds_client::CalendarFeedsClient,
        calendars: identity_proto::v1::calendars_client::CalendarsClient,
        departures: identity_proto::v1::departures_client::DeparturesClient,
        facebook: identity_proto::v1::facebook_logins_client::FacebookLoginsClient,
        passkeys: identity_proto::v1::passkeys_client::PasskeysClient,
    }
    places {
        places: places_proto::v1::places_client::PlacesClient,
        inspections: places_proto::v1::inspections_client::InspectionsClient,
        ratings: places_proto::v1::ratings_client::RatingsClient,
        readers_of_places: places_proto::v1::readers_client::ReadersClient,
    }
    bookmarks {
        bookmarks: bookmarks_proto::v1::bookmarks_client::BookmarksClient,
        readers_of_bookmarks: bookmarks_proto::v1::readers_client::ReadersClient,
    }
    editorial {
        editorial: editorial_proto::v1::editorial_client::EditorialClient,
        readers_of_editorial: editorial_proto::v1::readers_client::ReadersClient,
        search: editorial_proto::v1::search_client::SearchClient,
    }
    photos {
        photos: photos_proto::v1::photos_client::PhotosClient,
        avatars: photos_proto::v1::avatars_client::AvatarsClient,
        readers_of_photos: photos_proto::v1::readers_client::ReadersClient,
    }
    newsletters {
        newsletters: newsletters_proto::v1::newsletters_client::NewslettersClient,
        archive: newsletters_proto::v1::archive_client::ArchiveClient,
        mailed_links: newsletters_proto::v1::mailed_links_client::MailedLinksClient,
        readers_of_newsletters: newsletters_proto::v1::readers_client::ReadersClient,
        reports: newsletters_proto::v1::reports_client::ReportsClient,
        third_parties: newsletters_proto::v1::third_parties_client::ThirdPartiesClient,
    }
    ads {
        ads: ads_proto::v1::delivery_client::DeliveryClient,
    }
}

impl Clients {
    /// Fetches a page of the data that a service stores about the call's reader.
    pub(crate) async fn export(
        &self,
        keeper: Keeper,
        request: Request<ExportRequest>,
    ) -> Result<ExportResponse, Status> {
        let page = match keeper {
            Keeper::Identity => self.departures().export(request).await,
            Keeper::Bookmarks => self.readers_of_bookmarks().export(request).await,
            Keeper::Places => self.readers_of_places().export(request).await,
            Keeper::Editorial => self.readers_of_editorial().export(request).await,
            Keeper::Photos => self.readers_of_photos().export(request).await,
            Keeper::Newsletters => self.readers_of_newsletters().export(request).await,
        };
        page.map(Response::into_inner)
    }
}

/// A service that stores reader data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeper {
    Identity,
    Bookmarks,
    Places,
    Editorial,
    Photos,
    Newsletters,
}

impl Keeper {
    /// Returns the service that follows in an export.
    pub(crate) const fn next(self) -> Option<Self> {
        match self {
            Self::Identity => Some(Self::Bookmarks),
            Self::Bookmarks => Some(Self::Places),
            Self::Places => Some(Self::Editorial),
            Self::Editorial => Some(Self::Photos),
            Self::Photos => Some(Self::Newsletters),
            Self::Newsletters => None,
        }
    }
}

/// Service clients and the request timeout. Cheap to clone.
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

    /// Returns the deadline of all service calls made for a request.
    pub(crate) fn deadline(&self, begun: Instant) -> Instant {
        begun + self.timeout
    }

    /// Returns the context of a request's service calls, which share its timeout.
    pub(crate) fn call(&self, caller: Caller) -> Call {
        Call::new(caller, self.timeout)
    }
}
