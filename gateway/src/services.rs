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
use cityguide_proto::readers::v1::{ExportRequest, ExportResponse};
use tonic::{Request, Response, Status};

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
    identity: identity_proto::v1::identity_client::IdentityClient<Transport>,
    places: places_proto::v1::places_client::PlacesClient<Transport>,
    bookmarks: bookmarks_proto::v1::bookmarks_client::BookmarksClient<Transport>,
    editorial: editorial_proto::v1::editorial_client::EditorialClient<Transport>,
    photos: photos_proto::v1::photos_client::PhotosClient<Transport>,
    newsletters: newsletters_proto::v1::newsletters_client::NewslettersClient<Transport>,
    ads: ads_proto::v1::delivery_client::DeliveryClient<Transport>,
}

impl Clients {
    /// Readers' votes, which the service of places keeps.
    pub(crate) fn ratings(&self) -> places_proto::v1::ratings_client::RatingsClient<Transport> {
        places_proto::v1::ratings_client::RatingsClient::new(self.services.places.clone())
    }

    /// The inspections of places, which the service of places keeps.
    pub(crate) fn inspections(
        &self,
    ) -> places_proto::v1::inspections_client::InspectionsClient<Transport> {
        places_proto::v1::inspections_client::InspectionsClient::new(self.services.places.clone())
    }
}

impl Clients {
    /// The departures of readers, which the service of identity keeps.
    pub(crate) fn departures(
        &self,
    ) -> identity_proto::v1::departures_client::DeparturesClient<Transport> {
        identity_proto::v1::departures_client::DeparturesClient::new(self.services.identity.clone())
    }

    /// The search, which the service of editorial does.
    pub(crate) fn search(&self) -> editorial_proto::v1::search_client::SearchClient<Transport> {
        editorial_proto::v1::search_client::SearchClient::new(self.services.editorial.clone())
    }

    /// Readers' calendar feeds, which the service of identity keeps.
    pub(crate) fn calendar_feeds(
        &self,
    ) -> identity_proto::v1::calendar_feeds_client::CalendarFeedsClient<Transport> {
        identity_proto::v1::calendar_feeds_client::CalendarFeedsClient::new(
            self.services.identity.clone(),
        )
    }

    /// Readers' own pictures, which the service of photos keeps.
    pub(crate) fn avatars(&self) -> photos_proto::v1::avatars_client::AvatarsClient<Transport> {
        photos_proto::v1::avatars_client::AvatarsClient::new(self.services.photos.clone())
    }

    /// What links in mails lead to, which the service of newsletters keeps.
    pub(crate) fn mailed_links(
        &self,
    ) -> newsletters_proto::v1::mailed_links_client::MailedLinksClient<Transport> {
        newsletters_proto::v1::mailed_links_client::MailedLinksClient::new(
            self.services.newsletters.clone(),
        )
    }

    /// Issues of newsletters that everybody may read, which the service of newsletters keeps.
    pub(crate) fn archive(
        &self,
    ) -> newsletters_proto::v1::archive_client::ArchiveClient<Transport> {
        newsletters_proto::v1::archive_client::ArchiveClient::new(self.services.newsletters.clone())
    }

    /// Whether readers let pages load what belongs to other companies, which the service of newsletters keeps in its ledger.
    pub(crate) fn third_parties(
        &self,
    ) -> newsletters_proto::v1::third_parties_client::ThirdPartiesClient<Transport> {
        newsletters_proto::v1::third_parties_client::ThirdPartiesClient::new(
            self.services.newsletters.clone(),
        )
    }

    /// Where providers of mail report, which the service of newsletters handles.
    pub(crate) fn reports(
        &self,
    ) -> newsletters_proto::v1::reports_client::ReportsClient<Transport> {
        newsletters_proto::v1::reports_client::ReportsClient::new(self.services.newsletters.clone())
    }

    /// Readers' passkeys, which the service of identity keeps.
    pub(crate) fn passkeys(
        &self,
    ) -> identity_proto::v1::passkeys_client::PasskeysClient<Transport> {
        identity_proto::v1::passkeys_client::PasskeysClient::new(self.services.identity.clone())
    }

    /// Logging in with Facebook, which the service of identity does.
    pub(crate) fn facebook(
        &self,
    ) -> identity_proto::v1::facebook_logins_client::FacebookLoginsClient<Transport> {
        identity_proto::v1::facebook_logins_client::FacebookLoginsClient::new(
            self.services.identity.clone(),
        )
    }

    /// Readers' calendars, which the service of identity keeps the access to.
    pub(crate) fn calendars(
        &self,
    ) -> identity_proto::v1::calendars_client::CalendarsClient<Transport> {
        identity_proto::v1::calendars_client::CalendarsClient::new(self.services.identity.clone())
    }

    /// A page of what one service stores of the call's reader.
    pub(crate) async fn export(
        &self,
        keeper: Keeper,
        request: Request<ExportRequest>,
    ) -> Result<ExportResponse, Status> {
        let Services {
            places,
            bookmarks,
            editorial,
            photos,
            newsletters,
            ..
        } = self.services.as_ref();
        let page = match keeper {
            Keeper::Identity => self.departures().export(request).await,
            Keeper::Bookmarks => {
                let mut client =
                    bookmarks_proto::v1::readers_client::ReadersClient::new(bookmarks.clone());
                client.export(request).await
            }
            Keeper::Places => {
                let mut client =
                    places_proto::v1::readers_client::ReadersClient::new(places.clone());
                client.export(request).await
            }
            Keeper::Editorial => {
                let mut client =
                    editorial_proto::v1::readers_client::ReadersClient::new(editorial.clone());
                client.export(request).await
            }
            Keeper::Photos => {
                let mut client =
                    photos_proto::v1::readers_client::ReadersClient::new(photos.clone());
                client.export(request).await
            }
            Keeper::Newsletters => {
                let mut client =
                    newsletters_proto::v1::readers_client::ReadersClient::new(newsletters.clone());
                client.export(request).await
            }
        };
        page.map(Response::into_inner)
    }
}

/// A service that keeps something of readers.
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
    /// The service whose part of an export comes next.
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
