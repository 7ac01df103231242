//! `events/`: what happens in the city, by its next occurrence.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use cityguide_proto::editorial::v1::{
    self as proto, Item, ItemDetail, Kind, ListItemsRequest, item::Detail,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Card,
    resource::{self, ItemResource},
};
use crate::{
    calendar::CalendarEvent,
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        id::{CalendarFile, Id},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    site::Site,
    v2::time,
};

/// One time that an event happens.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Occurrence {
    #[schema(format = DateTime)]
    pub(crate) starts_at: Option<String>,
    #[schema(format = DateTime)]
    pub(crate) ends_at: Option<String>,
}

impl From<proto::Occurrence> for Occurrence {
    fn from(occurrence: proto::Occurrence) -> Self {
        Self {
            starts_at: time::text(occurrence.starts_at.as_ref()),
            ends_at: time::text(occurrence.ends_at.as_ref()),
        }
    }
}

/// An event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Event {
    #[serde(flatten)]
    pub(crate) card: Card,
    /// The first occurrence within the window that was asked for; of a single event the next, or the
    /// last where all are over.
    #[serde(flatten)]
    pub(crate) occurrence: Occurrence,
    pub(crate) is_all_day: bool,
    /// IANA name of the zone that its times are meant in.
    pub(crate) timezone: String,
    /// RFC 5545, the value of `RRULE`; null where it happens once.
    pub(crate) recurrence: Option<String>,
    pub(crate) venue: String,
    pub(crate) address: String,
    /// A slug, or null.
    pub(crate) category: Option<String>,
    /// A neighbourhood's slug, or null.
    pub(crate) neighbourhood: Option<String>,
    pub(crate) is_free: bool,
    pub(crate) price: String,
    pub(crate) website: Option<String>,
    /// Occurrences to come, of a single event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) occurrences: Option<Vec<Occurrence>>,
    /// Sanitised HTML, of a single event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed, of a single event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl From<Item> for Event {
    fn from(mut item: Item) -> Self {
        let event = match item.detail.take() {
            Some(Detail::Event(event)) => event,
            _ => proto::Event::default(),
        };
        let non_empty = |text: String| (!text.is_empty()).then_some(text);
        Self {
            card: item.into(),
            occurrence: event.occurrence.unwrap_or_default().into(),
            is_all_day: event.is_all_day,
            timezone: event.zone,
            recurrence: non_empty(event.recurrence),
            venue: event.venue,
            address: event.address,
            category: non_empty(event.category),
            neighbourhood: non_empty(event.neighbourhood),
            is_free: event.is_free,
            price: event.price,
            website: non_empty(event.website),
            occurrences: None,
            body: None,
            server_time: None,
        }
    }
}

impl ItemResource for Event {
    const KIND: Kind = Kind::Event;
    const PATH: &'static str = "/api/v2/events/";
    const KNOWN: &'static [&'static str] = &[
        "after",
        "category",
        "free",
        "from",
        "ids",
        "keywords",
        "limit",
        "neighbourhood",
        "offset",
        "ordering",
        "to",
    ];
    const FRESHNESS: Freshness = Freshness::Short;

    fn filter(
        site: &Site,
        params: &Params,
        request: &mut ListItemsRequest,
    ) -> Result<(), ApiError> {
        request.from = params.time("from", site.timezone)?;
        request.to = params.time("to", site.timezone)?;
        request.category = params.slug("category")?;
        request.neighbourhood = params.slug("neighbourhood")?;
        request.is_free = params.truth("free")?;
        Ok(())
    }

    fn listed(_: &Site, item: Item, _: &ListItemsRequest) -> Self {
        item.into()
    }

    fn whole(_: &Site, detail: ItemDetail) -> Self {
        let upcoming = detail.occurrences.into_iter().map(Occurrence::from);
        Self {
            occurrences: Some(upcoming.collect()),
            body: Some(detail.body_html),
            ..detail.item.unwrap_or_default().into()
        }
    }
}

/// Events that are still on, by their next start unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/events/", operation_id = "list_events", tag = "catalogue",
    params(
        ("from" = Option<String>, Query, description = "Still on after this day of the site's zone, or this instant; now where absent."),
        ("to" = Option<String>, Query, description = "Begun before this day or instant."),
        ("category" = Option<String>, Query, description = "A category's slug."),
        ("neighbourhood" = Option<String>, Query, description = "A neighbourhood's slug."),
        ("free" = Option<u8>, Query, description = "1: free ones only; 0: others."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_starts|date_published|name))?$", description = "date_starts, date_published or name; - descends."),
        PageParams,
    ),
    responses((status = 200, body = Page<Event>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    resource::list::<Event>(catalogue, request).await
}

/// One event with its text and its occurrences to come.
#[utoipa::path(get, path = "/api/v2/events/{id}/", operation_id = "get_event", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Event), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::detail::<Event>(catalogue, request, id).await
}

/// One event as a file for a reader's calendar.
#[utoipa::path(get, path = "/api/v2/events/{id}.ics", operation_id = "get_event_calendar", tag = "catalogue",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = String, content_type = "text/calendar",
            description = "RFC 5545. Of an age-restricted event it holds no description.",
            headers(("Content-Disposition" = String, description = "A file named after the event's page."))),
        (status = 304), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn calendar(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    CalendarFile(id): CalendarFile,
) -> Result<Response, ApiError> {
    let key = CacheKey::file(Event::PATH, id, ".ics").tagged(Tag::Item(id));
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            file(catalogue, id)
        })
        .await
}

async fn file(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let detail = resource::get(&catalogue, Kind::Event, id, false).await?;
    let event = CalendarEvent::new(detail.item.unwrap_or_default())?;
    let (name, origin) = (event.file_name(), catalogue.origin.clone());
    Content::attachment("text/calendar; charset=utf-8", &name, move |revised| {
        event.file(&origin, revised)
    })
}
