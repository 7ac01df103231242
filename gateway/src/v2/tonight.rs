//! GET `tonight/`: one file for a day, until 4 a.m. Readers' devices select and rank its events and places by time and
//! distance, so that no position leaves the device.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use axum::{extract::State, response::Response};
use chassis::{instant, paging::MAX_LIMIT};
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;
use cityguide_proto::paging::v1::PageRequest;
use editorial_proto::v1::{Kind, ListItemsRequest};
use places_proto::v1::{self as proto, ListOpenRequest};
use serde::{Deserialize, Serialize};
use sunrise::{Coordinates, SolarDay, SolarEvent};
use utoipa::ToSchema;

use super::{
    call::PublicCall,
    items::{events::Event, places, resource::ItemResource as _},
    listing::{Listing, NamedLink},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const PATH: &str = "/api/v2/tonight/";
/// The hour at which a day of this file begins and ends.
const TURN: TimeDelta = TimeDelta::hours(4);
/// The start of an event that begins on an earlier day, in words.
const ONGOING: &str = "Ongoing";
/// Maximum number of events in the file.
const MAX_EVENTS: usize = 200;

/// A type of places in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct OpenType {
    pub(crate) slug: String,
    pub(crate) name: String,
    /// Number of its places in the file.
    pub(crate) count: usize,
}

/// A place that is open at some time of the day.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct OpenPlace {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Path of the place's page.
    pub(crate) share_url: String,
    /// Slug of its type.
    pub(crate) r#type: String,
    /// Name of its sub-type, or of its type in the singular.
    pub(crate) kind: String,
    pub(crate) neighbourhood: Option<NamedLink>,
    pub(crate) line: Option<String>,
    /// Latitude and longitude in degrees, to about a metre; null if unknown.
    #[schema(min_items = 2, max_items = 2)]
    pub(crate) position: Option<[f64; 2]>,
    /// Start and end of each open period in minutes after `starts_at`. A period that ends with the day may continue.
    pub(crate) open: Vec<[i64; 2]>,
}

/// An event of the day.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TonightEvent {
    #[serde(flatten)]
    pub(crate) event: Event,
    /// Latitude and longitude of the event's place in degrees, to about a metre; null if unknown.
    #[schema(min_items = 2, max_items = 2)]
    pub(crate) position: Option<[f64; 2]>,
}

/// Events and open places of a day.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Tonight {
    /// The date on which the day begins.
    #[schema(format = Date)]
    pub(crate) day: String,
    /// 4 a.m. in the city.
    #[schema(format = DateTime)]
    pub(crate) starts_at: String,
    /// 4 a.m. on the following date.
    #[schema(format = DateTime)]
    pub(crate) ends_at: String,
    /// Null if the sun does not set, or if the position of no place is known.
    #[schema(format = DateTime)]
    pub(crate) sunset: Option<String>,
    /// Number of food establishments that are open past midnight.
    pub(crate) late_kitchens: usize,
    /// By start; last those that take all day or began on an earlier day.
    pub(crate) events: Vec<TonightEvent>,
    /// The editors' choices and the best rated first.
    pub(crate) places: Vec<OpenPlace>,
    /// Types of `places`, the most frequent first.
    pub(crate) types: Vec<OpenType>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

/// The call for the day's file.
pub(crate) fn call() -> PublicCall<Tonight> {
    PublicCall::new(PATH, &[])
}

/// Today's events until 4 a.m. and the places that are open today, with their periods: the same file for everyone.
#[utoipa::path(get, path = "/api/v2/tonight/", operation_id = "get_tonight", tag = "catalogue",
    responses((status = 200, body = Tonight), (status = 304), (status = 503, body = ErrorBody)))]
pub(crate) async fn tonight(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let tags = &[Tag::Areas, Tag::Listings, Tag::Items];
    let key = CacheKey::list(PATH, &Params::default(), tags);
    catalogue.serve(&request, key, Freshness::Usual, file).await
}

async fn file(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let day = Day::at(catalogue.clock.now(), catalogue.site.timezone);
    let events = located(&catalogue, &day);
    let (events, open) = tokio::try_join!(events, open(&catalogue, &day))?;
    let places: Vec<_> = open
        .iter()
        .map(|place| OpenPlace::new(place, &day))
        .collect();
    let midnight = (day.midnight - day.from).num_minutes();
    let is_food = |place: &proto::OpenPlace| {
        let kind = place.listing.as_ref().and_then(|one| one.r#type.as_ref());
        kind.is_some_and(|kind| kind.is_food)
    };
    let is_late = |place: &OpenPlace| place.open.iter().any(|[_, end]| *end > midnight);
    let late = open.iter().zip(&places);
    let late = late.filter(|(open, place)| is_food(open) && is_late(place));
    let answer = Tonight {
        day: day.date.to_string(),
        starts_at: instant::to_rfc3339(day.from),
        ends_at: instant::to_rfc3339(day.to),
        sunset: day.sunset(&places).map(instant::to_rfc3339),
        late_kitchens: late.count(),
        types: types(&open),
        events,
        places,
        server_time: None,
    };
    Ok(Content::json(&answer)?.until(Some(day.to)))
}

/// A date from 4 a.m. to 4 a.m. of the next one, in the city's time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Day {
    date: NaiveDate,
    from: DateTime<Utc>,
    midnight: DateTime<Utc>,
    pub(super) to: DateTime<Utc>,
}

impl Day {
    pub(super) fn at(now: DateTime<Utc>, zone: Tz) -> Self {
        let date = (now.with_timezone(&zone).naive_local() - TURN).date();
        let at = |date: NaiveDate, turn: TimeDelta| {
            let local = date.and_time(NaiveTime::MIN) + turn;
            // No zone sets its clocks at 4 a.m.; one may skip midnight.
            let found = zone.from_local_datetime(&local).earliest();
            found.map_or_else(|| local.and_utc(), |at| at.to_utc())
        };
        let next = date + TimeDelta::days(1);
        Self {
            date,
            from: at(date, TURN),
            midnight: at(next, TimeDelta::zero()),
            to: at(next, TURN),
        }
    }

    /// Describes the start of an event that begins on an earlier day.
    fn dated(&self, mut event: Event) -> Event {
        let starts = event.occurrence.starts_at.as_deref();
        if !event.is_all_day
            && starts
                .and_then(instant::from_rfc3339)
                .is_some_and(|starts| starts < self.from)
        {
            ONGOING.clone_into(&mut event.start_time);
        }
        event
    }

    /// The sunset in the middle of these places.
    fn sunset(&self, places: &[OpenPlace]) -> Option<DateTime<Utc>> {
        let mut latitudes = Vec::with_capacity(places.len());
        let mut longitudes = Vec::with_capacity(places.len());
        for [latitude, longitude] in places.iter().filter_map(|place| place.position) {
            latitudes.push(latitude);
            longitudes.push(longitude);
        }
        let middle = |mut degrees: Vec<f64>| {
            degrees.sort_by(f64::total_cmp);
            degrees.get(degrees.len() / 2).copied()
        };
        let middle = Coordinates::new(middle(latitudes)?, middle(longitudes)?)?;
        SolarDay::new(middle, self.date).event_time(SolarEvent::Sunset)
    }
}

/// Returns the day's events with the positions of their places.
async fn located(catalogue: &Catalogue, day: &Day) -> Result<Vec<TonightEvent>, ApiError> {
    let events = events(catalogue, day).await?;
    let ids: BTreeSet<i64> = events.iter().filter_map(|event| event.listing_id).collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let listings = places::listings(catalogue, &ids).await?;
    let events = events.into_iter().map(|event| {
        let place = event.listing_id.and_then(|id| listings.get(&id));
        let at = place.and_then(|place| place.coordinates.as_ref());
        TonightEvent {
            position: at.map(|at| [at.lat, at.lng].map(to_about_a_metre)),
            event,
        }
    });
    Ok(events.collect())
}

/// Reads the day's events by start, page by page.
async fn events(catalogue: &Catalogue, day: &Day) -> Result<Vec<Event>, ApiError> {
    let mut events = Vec::new();
    if !catalogue.site.has("events") {
        return Ok(events);
    }
    let year = catalogue.this_year();
    let mut after = String::new();
    while events.len() < MAX_EVENTS {
        let request = ListItemsRequest {
            page: Some(PageRequest {
                ordering: "date_starts".to_owned(),
                limit: MAX_LIMIT,
                after,
                ..PageRequest::default()
            }),
            kind: Kind::Event.into(),
            from: Some(instant::to_proto(day.from)),
            to: Some(instant::to_proto(day.to)),
            ..ListItemsRequest::default()
        };
        let request = catalogue.request(request);
        let found = catalogue.services.editorial().list_items(request).await?;
        let found = found.into_inner();
        let items = found.items.into_iter();
        let each = items.map(|item| Event::new(&catalogue.site, &year, item, None));
        events.extend(each.map(|event| day.dated(event)));
        match found.page.and_then(|page| page.next_after) {
            Some(next) => after = next,
            None => break,
        }
    }
    events.truncate(MAX_EVENTS);
    // Events that last all day or have begun on an earlier day can wait.
    events.sort_by_key(|event| event.is_all_day || event.start_time == ONGOING);
    Ok(events)
}

async fn open(catalogue: &Catalogue, day: &Day) -> Result<Vec<proto::OpenPlace>, ApiError> {
    if !catalogue.site.has("listings") {
        return Ok(Vec::new());
    }
    let request = catalogue.request(ListOpenRequest {
        zone: catalogue.site.timezone.name().to_owned(),
        from: Some(instant::to_proto(day.from)),
        to: Some(instant::to_proto(day.to)),
    });
    let found = catalogue.services.places().list_open(request).await?;
    Ok(found.into_inner().places)
}

impl OpenPlace {
    fn new(open: &proto::OpenPlace, day: &Day) -> Self {
        let listing = open.listing.clone().unwrap_or_default();
        let share_url = Listing::path(&listing);
        let kind = listing.r#type.unwrap_or_default();
        let minutes = |at: Option<&prost_types::Timestamp>| {
            let at = at.and_then(instant::from_proto);
            at.map_or(0, |at| (at - day.from).num_minutes())
        };
        let periods = open.periods.iter();
        Self {
            id: listing.id,
            name: listing.name,
            share_url,
            r#type: kind.slug,
            kind: listing
                .sub_type
                .map_or(kind.name_singular, |sub_type| sub_type.name),
            neighbourhood: listing.neighbourhood.map(Listing::area),
            line: listing.line,
            position: listing
                .coordinates
                .map(|at| [at.latitude, at.longitude].map(to_about_a_metre)),
            open: periods
                .map(|period| [&period.starts_at, &period.ends_at].map(|at| minutes(at.as_ref())))
                .collect(),
        }
    }
}

/// Rounds degrees: more decimals would only make the file larger.
fn to_about_a_metre(degrees: f64) -> f64 {
    (degrees * 1e5).round() / 1e5
}

fn types(open: &[proto::OpenPlace]) -> Vec<OpenType> {
    let mut types = BTreeMap::<&str, OpenType>::new();
    let listings = open.iter().filter_map(|place| place.listing.as_ref());
    for kind in listings.filter_map(|listing| listing.r#type.as_ref()) {
        let entry = types.entry(&kind.slug).or_insert_with(|| OpenType {
            slug: kind.slug.clone(),
            name: kind.name.clone(),
            count: 0,
        });
        entry.count += 1;
    }
    let mut types: Vec<_> = types.into_values().collect();
    types.sort_by_key(|kind| std::cmp::Reverse(kind.count));
    types
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edge::public::{Effort, Encoding},
        words::this_year::ThisYear,
    };
    use site::Site;

    fn day_at(now: &str) -> Day {
        Day::at(
            now.parse().expect("an instant"),
            chrono_tz::America::Toronto,
        )
    }

    #[test]
    fn a_day_lasts_until_four_in_the_morning_across_clock_changes() {
        for (now, date, hours) in [
            ("2026-12-01T08:59:59Z", "2026-11-30", 24),
            ("2026-12-01T09:00:00Z", "2026-12-01", 24),
            // The clocks are set forward on 14 March and back on 7 November 2027.
            ("2027-03-14T02:00:00Z", "2027-03-13", 23),
            ("2027-11-07T02:00:00Z", "2027-11-06", 25),
        ] {
            let day = day_at(now);
            assert_eq!(day.date.to_string(), date, "{now}");
            assert_eq!((day.to - day.from).num_hours(), hours, "{now}");
            assert_eq!((day.midnight - day.from).num_hours(), 20, "{now}");
        }
    }

    fn place(position: Option<[f64; 2]>) -> OpenPlace {
        OpenPlace {
            id: 1,
            name: String::new(),
            share_url: String::new(),
            r#type: String::new(),
            kind: String::new(),
            neighbourhood: None,
            line: None,
            position,
            open: Vec::new(),
        }
    }

    #[test]
    fn the_sun_sets_where_most_places_are() {
        let day = day_at("2026-11-30T17:00:00Z");
        let toronto = Some([43.65, -79.38]);
        // A position with swapped coordinates does not move the middle.
        let places = [toronto, toronto, Some([-79.38, 43.65]), None].map(place);
        let sunset = day.sunset(&places).expect("a sunset");
        // The almanac says 4:41 p.m.
        let expected = "2026-11-30T21:41:00Z"
            .parse::<DateTime<Utc>>()
            .expect("an instant");
        assert!((sunset - expected).num_minutes().abs() <= 3, "{sunset}");
        assert_eq!(day.sunset(&[place(None)]), None);
        let north = [place(Some([82.5, -62.3]))];
        assert_eq!(day.sunset(&north), None, "the polar night");
    }

    /// The largest file that is possible: the most places and events, with names and lines as long as the demo's, and
    /// without words in common.
    #[test]
    fn the_largest_file_is_at_most_250_kb() {
        let mut seed = 1_u64;
        let mut word = |length: usize| -> String {
            let letters = (0..length).map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                char::from(b'a' + u8::try_from((seed >> 33) % 26).unwrap_or_default())
            });
            letters.collect()
        };
        let mut text = |words: usize| (0..words).map(|_| word(6)).collect::<Vec<_>>().join(" ");
        let scattered = |number: u32| {
            let offsets = [7_919, 6_151].map(|prime| f64::from(number * prime % 10_007) / 1e5);
            [43.6 + offsets[0], -79.4 + offsets[1]].map(to_about_a_metre)
        };
        let places = (0..1_000).map(|number| OpenPlace {
            id: number.into(),
            name: text(3),
            share_url: format!("/restaurants/{}/", text(3).replace(' ', "-")),
            line: Some(text(14)),
            open: vec![[480, 660], [840, 1_200]],
            ..place(Some(scattered(number)))
        });
        let places: Vec<_> = places.collect();
        let settings = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/sites/guide.toml");
        let site = Site::read(settings.as_ref()).expect("a site");
        let year = ThisYear::new(DateTime::UNIX_EPOCH, site.timezone);
        let events = (1_000..).take(MAX_EVENTS).map(|number| {
            let item = editorial_proto::v1::Item {
                name: text(4),
                path: format!("/events/{}/", text(4).replace(' ', "-")),
                excerpt: text(14),
                image_url: Some(format!("/media/catalogue/{}/whole", text(4))),
                ..editorial_proto::v1::Item::default()
            };
            TonightEvent {
                event: Event::new(&site, &year, item, None),
                position: Some(scattered(number)),
            }
        });
        let file = Tonight {
            day: "2026-11-30".to_owned(),
            starts_at: String::new(),
            ends_at: String::new(),
            sunset: None,
            late_kitchens: 0,
            events: events.collect(),
            places,
            types: Vec::new(),
            server_time: None,
        };
        let json = serde_json::to_vec(&file).expect("JSON");
        let encoded = Encoding::Brotli
            .encode(&json, Effort::Best)
            .expect("encoded");
        assert!(encoded.len() <= 250_000, "{} bytes", encoded.len());
    }
}
