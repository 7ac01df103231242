//! The other services that store readers' data or provide data for their calendars.

use std::time::Duration;

use bookmarks_proto::v1::CreateBookmarkRequest;
use chassis::{
    call::{Call, Caller},
    error::Fault,
    role::Callees,
    rpc::Transport,
};
use cityguide_proto::readers::v1::{EraseRequest, EraseResponse};
use editorial_proto::v1::{CalendarEvent, GetCalendarEventsRequest};
use tonic::Request;

/// The timeout of each call; a retry does not repeat completed deletions.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The clients of the services that store readers' data.
#[derive(Debug, Clone)]
pub(crate) struct Owners {
    bookmarks: bookmarks_proto::v1::readers_client::ReadersClient<Transport>,
    places: places_proto::v1::readers_client::ReadersClient<Transport>,
    editorial: editorial_proto::v1::readers_client::ReadersClient<Transport>,
    photos: photos_proto::v1::readers_client::ReadersClient<Transport>,
    newsletters: newsletters_proto::v1::readers_client::ReadersClient<Transport>,
    saved: bookmarks_proto::v1::bookmarks_client::BookmarksClient<Transport>,
    events: editorial_proto::v1::editorial_client::EditorialClient<Transport>,
}

impl Owners {
    /// The service names, for [`chassis::role::Service::CALLS`].
    pub(crate) const NAMES: &'static [&'static str] =
        &["bookmarks", "places", "editorial", "photos", "newsletters"];

    pub(crate) fn connect(callees: &Callees) -> Result<Self, Fault> {
        Ok(Self {
            bookmarks: bookmarks_proto::v1::readers_client::ReadersClient::new(
                callees.get("bookmarks")?,
            ),
            places: places_proto::v1::readers_client::ReadersClient::new(callees.get("places")?),
            editorial: editorial_proto::v1::readers_client::ReadersClient::new(
                callees.get("editorial")?,
            ),
            photos: photos_proto::v1::readers_client::ReadersClient::new(callees.get("photos")?),
            newsletters: newsletters_proto::v1::readers_client::ReadersClient::new(
                callees.get("newsletters")?,
            ),
            saved: bookmarks_proto::v1::bookmarks_client::BookmarksClient::new(
                callees.get("bookmarks")?,
            ),
            events: editorial_proto::v1::editorial_client::EditorialClient::new(
                callees.get("editorial")?,
            ),
        })
    }

    /// Saves an item, if it is not saved already.
    pub(crate) async fn bookmark(
        &self,
        request: Request<CreateBookmarkRequest>,
    ) -> Result<(), Fault> {
        self.saved.clone().create_bookmark(request).await?;
        Ok(())
    }

    /// The data of events for calendars.
    pub(crate) async fn calendar_events(
        &self,
        request: Request<GetCalendarEventsRequest>,
    ) -> Result<Vec<CalendarEvent>, Fault> {
        let found = self.events.clone().get_calendar_events(request).await?;
        Ok(found.into_inner().events)
    }

    /// Erases a reader's data in all services; returns what this erasure has deleted so far, and what the services
    /// keep. If a service fails, the others still erase their data.
    pub(crate) async fn erase(&self, request: &EraseRequest) -> Result<EraseResponse, Fault> {
        let call = Call::new(Caller::Operator, TIMEOUT);
        let (mut bookmarks, mut places) = (self.bookmarks.clone(), self.places.clone());
        let (mut editorial, mut photos) = (self.editorial.clone(), self.photos.clone());
        let mut newsletters = self.newsletters.clone();
        let (bookmarks, places, editorial, photos, newsletters) = tokio::join!(
            bookmarks.erase(call.request(request.clone())),
            places.erase(call.request(request.clone())),
            editorial.erase(call.request(request.clone())),
            photos.erase(call.request(request.clone())),
            newsletters.erase(call.request(request.clone())),
        );
        let mut all = EraseResponse::default();
        for answer in [bookmarks, places, editorial, photos, newsletters] {
            let answer = answer?.into_inner();
            all.counts.extend(answer.counts);
            all.kept.extend(answer.kept);
        }
        Ok(all)
    }
}
