//! `events/`: events in the city, by next occurrence.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chrono::{DateTime, NaiveDate, NaiveTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use editorial_proto::v1::{self as proto, Item, ItemDetail, Kind, ListItemsRequest, item::Detail};
use serde::{Deserialize, Serialize};
use site::Site;
use tonic::Status;
use utoipa::ToSchema;

use super::{
    Card, places,
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
    v2::{listing::Listing, time},
    words::{
        occasion::{self, CalendarDay, Occasion},
        this_year::ThisYear,
        web_address,
    },
};

/// An occurrence of an event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Occurrence {
    #[schema(format = DateTime)]
    pub(crate) starts_at: Option<String>,
    #[schema(format = DateTime)]
    pub(crate) ends_at: Option<String>,
    /// Dates in words, in the site's time zone: "Friday, November 20", "December 30 – January 2, 2027". The current
    /// year is omitted.
    pub(crate) days: String,
    /// Times in words: "8:00 – 10:00 p.m.", "All day".
    pub(crate) hours: String,
}

/// The time zone for displaying an event's times, and whether it is an all-day event.
#[derive(Debug, Clone, Copy)]
struct Calendar {
    zone: Tz,
    is_all_day: bool,
}

impl Calendar {
    fn new(site: Tz, event: &proto::Event) -> Self {
        // All-day dates are in the event's own zone.
        let own = event.zone.parse().ok().filter(|_| event.is_all_day);
        Self {
            zone: own.unwrap_or(site),
            is_all_day: event.is_all_day,
        }
    }

    fn occasion(self, occurrence: &proto::Occurrence) -> Option<Occasion> {
        let [from, until] =
            [&occurrence.starts_at, &occurrence.ends_at].map(|at| time::text(at.as_ref()));
        Occasion::new(
            from.as_deref(),
            until.as_deref(),
            self.zone,
            self.is_all_day,
        )
    }

    fn occurrence(self, year: &ThisYear, occurrence: &proto::Occurrence) -> Occurrence {
        let occasion = self.occasion(occurrence);
        let words = |say: fn(&Occasion) -> String| occasion.as_ref().map(say).unwrap_or_default();
        Occurrence {
            starts_at: time::text(occurrence.starts_at.as_ref()),
            ends_at: time::text(occurrence.ends_at.as_ref()),
            days: year.omitted_from(&words(Occasion::days)),
            hours: words(Occasion::hours),
        }
    }
}

/// An event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Event {
    #[serde(flatten)]
    pub(crate) card: Card,
    /// The first occurrence within the requested period. For a single event, the next occurrence, or the last if the
    /// event is over.
    #[serde(flatten)]
    pub(crate) occurrence: Occurrence,
    /// Start time in words: "8:00 p.m.", "All day".
    pub(crate) start_time: String,
    /// The first date of the occurrence; null if unknown.
    pub(crate) calendar_day: Option<CalendarDay>,
    #[serde(skip)]
    first_day: Option<NaiveDate>,
    /// The heading of the event in a list by day: "Today" (also for an event that has begun), "Tomorrow", "This weekend",
    /// "Monday, December 7"; only in lists of events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diary_day: Option<String>,
    /// The weekday of the event ("Sat") if `diary_day` covers several days; only in lists of events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diary_weekday: Option<String>,
    pub(crate) is_all_day: bool,
    /// IANA name of the time zone of `recurrence`. Times in words are in the site's time zone, but dates of all-day
    /// events are in the event's.
    pub(crate) timezone: String,
    /// Value of `RRULE` (RFC 5545); null for a single occurrence.
    pub(crate) recurrence: Option<String>,
    /// `recurrence` in words: "Weekly"; null for a single occurrence.
    pub(crate) repeats: Option<String>,
    pub(crate) venue: String,
    pub(crate) address: String,
    #[serde(skip)]
    pub(crate) listing_id: Option<i64>,
    /// The place at which the event happens, if it is a place of the guide; only in the response for a single event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) listing: Option<Listing>,
    /// Category slug.
    pub(crate) category: Option<String>,
    /// Category name.
    pub(crate) category_name: Option<String>,
    /// Neighbourhood slug.
    pub(crate) neighbourhood: Option<String>,
    pub(crate) is_free: bool,
    pub(crate) price: String,
    pub(crate) website: Option<String>,
    /// Host of `website` without `www.`; null if `website` is not a web address.
    pub(crate) website_host: Option<String>,
    /// Future occurrences; only in the response for a single event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) occurrences: Option<Vec<Occurrence>>,
    /// Sanitised HTML; only in the response for a single event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed; only in the response for a single event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl Event {
    /// The price in words; empty if unknown.
    pub(crate) fn price(&self) -> &str {
        if self.is_free { "Free" } else { &self.price }
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
        "listing",
        "neighbourhood",
        "offset",
        "ordering",
        "to",
    ];
    const FRESHNESS: Freshness = Freshness::Short;
    const TAGS: &'static [Tag] = &[Tag::Areas, Tag::Listings];

    fn filter(
        site: &Site,
        params: &Params,
        request: &mut ListItemsRequest,
    ) -> Result<(), ApiError> {
        request.from = params.time("from", site.timezone)?;
        request.to = params.time("to", site.timezone)?;
        request.category = params.slug("category")?;
        request.neighbourhood = params.slug("neighbourhood")?;
        request.listing_id = params.id("listing")?.unwrap_or_default();
        request.is_free = params.truth("free")?;
        Ok(())
    }

    fn new(site: &Site, year: &ThisYear, mut item: Item, body: Option<String>) -> Self {
        let event = match item.detail.take() {
            Some(Detail::Event(event)) => event,
            _ => proto::Event::default(),
        };
        let calendar = Calendar::new(site.timezone, &event);
        let occurrence = event.occurrence.unwrap_or_default();
        let occasion = calendar.occasion(&occurrence);
        let non_empty = |text: String| (!text.is_empty()).then_some(text);
        Self {
            card: Card::new(site, year, item),
            occurrence: calendar.occurrence(year, &occurrence),
            start_time: occasion.map(|at| at.start()).unwrap_or_default(),
            calendar_day: occasion.map(|at| at.calendar_day()),
            first_day: occasion.map(|at| at.first_day()),
            diary_day: None,
            diary_weekday: None,
            is_all_day: event.is_all_day,
            timezone: event.zone,
            repeats: non_empty(event.recurrence.clone()).map(|rule| occasion::repeats(&rule)),
            recurrence: non_empty(event.recurrence),
            venue: event.venue,
            address: event.address,
            listing_id: event.listing_id,
            listing: None,
            category_name: non_empty(event.category.clone()).map(|slug| occasion::category(&slug)),
            category: non_empty(event.category),
            neighbourhood: non_empty(event.neighbourhood),
            is_free: event.is_free,
            price: event.price,
            website_host: web_address::host(&event.website),
            website: non_empty(event.website),
            occurrences: None,
            body,
            server_time: None,
        }
    }

    fn date(&mut self, site: &Site, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let today = now.with_timezone(&site.timezone).date_naive();
        let (heading, weekday) = occasion::diary_day(self.first_day?, today);
        (self.diary_day, self.diary_weekday) = (Some(heading), weekday);
        let tomorrow = today.succ_opt()?.and_time(NaiveTime::MIN);
        // A clock change may skip midnight.
        let midnight = site.timezone.from_local_datetime(&tomorrow).earliest();
        midnight.map(|at| at.with_timezone(&Utc))
    }

    async fn complete(&mut self, catalogue: &Catalogue) -> Result<(), Status> {
        if let Some(id) = self.listing_id {
            self.listing = places::listings(catalogue, &[id]).await?.remove(&id);
        }
        Ok(())
    }

    fn whole(site: &Site, year: &ThisYear, detail: ItemDetail) -> Self {
        let item = detail.item.unwrap_or_default();
        let calendar = match &item.detail {
            Some(Detail::Event(event)) => Calendar::new(site.timezone, event),
            _ => Calendar::new(site.timezone, &proto::Event::default()),
        };
        let upcoming = detail.occurrences.iter();
        Self {
            occurrences: Some(upcoming.map(|one| calendar.occurrence(year, one)).collect()),
            ..Self::new(site, year, item, Some(detail.body_html))
        }
    }
}

/// Current and future events, by default ordered by next start.
#[utoipa::path(get, path = "/api/v2/events/", operation_id = "list_events", tag = "catalogue",
    params(
        ("from" = Option<String>, Query, description = "Still on after this day of the site's zone, or this instant; now where absent."),
        ("to" = Option<String>, Query, description = "Begun before this day or instant."),
        ("category" = Option<String>, Query, description = "A category's slug."),
        ("neighbourhood" = Option<String>, Query, description = "A neighbourhood's slug."),
        ("listing" = Option<i64>, Query, description = "A place's id: only events that happen there."),
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

/// An event with its text and future occurrences.
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

/// An event as an iCalendar file.
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

#[cfg(test)]
mod tests {
    use chassis::instant;

    use super::*;

    #[test]
    fn times_are_shown_in_the_zone_of_the_site_and_days_are_those_of_the_event() {
        let year = ThisYear::new(DateTime::UNIX_EPOCH, chrono_tz::UTC);
        let shown = |zone: &str, is_all_day: bool, at: [&str; 2]| {
            let event = proto::Event {
                zone: zone.to_owned(),
                is_all_day,
                ..proto::Event::default()
            };
            let [starts, ends] = at.map(|at| instant::from_rfc3339(at).map(instant::to_proto));
            let occurrence = proto::Occurrence {
                starts_at: starts,
                ends_at: ends,
            };
            let calendar = Calendar::new(chrono_tz::America::Toronto, &event);
            let shown = calendar.occurrence(&year, &occurrence);
            format!("{}, {}", shown.days, shown.hours.replace('\u{a0}', " "))
        };
        let evening = ["2027-01-13T00:00:00.000Z", "2027-01-13T02:00:00.000Z"];
        for zone in ["UTC", "America/Halifax", "America/Toronto", ""] {
            assert_eq!(
                shown(zone, false, evening),
                "Tuesday, January 12, 2027, 7:00 – 9:00 p.m."
            );
        }
        let day = ["2027-01-13T08:00:00.000Z", "2027-01-14T08:00:00.000Z"];
        assert_eq!(
            shown("America/Vancouver", true, day),
            "Wednesday, January 13, 2027, All day"
        );
    }
}
