//! Events and open places of tonight (`web/src/routes/tonight.tsx`). The rules of the selection are also in
//! `web/src/features/tonight/evening.ts`.

use chassis::instant;
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use maud::{Markup, html};
use site::Site;

use crate::{
    edge::{error::ApiError, params::Params},
    pages::{
        content::{
            grid::select_fields,
            head::{deck, head},
            item_cards,
            markup::{button_space, tab_strip},
        },
        meta::Meta,
        opening::{Opening, PageContext},
    },
    v2::{
        items::events::Event,
        tonight::{self, OpenPlace, Tonight},
    },
    words::{dates, numbers::counted, opening_hours},
};

/// Query parameters: a full hour and a type's slug. The order is up to the application, since it may need the reader's
/// position.
pub(super) const PARAMS: &[&str] = &["at", "type"];
/// The first hour to choose, in hours after the start of the day at 4 a.m.: 5 p.m.
const FIRST_CHOICE: i64 = 13;
/// Number of places before the button for the others.
const FIRST_PLACES: usize = 24;
/// A place that closes within this number of minutes is marked.
const LAST_ORDERS: i64 = 60;
/// How long a place that has closed is still shown, crossed out, in minutes.
const CROSSED_OUT: i64 = 15;
const PLACES: [&str; 2] = ["place", "places"];
/// The assumed length of an event without an end.
const USUAL_LENGTH: TimeDelta = TimeDelta::hours(3);

pub(in crate::pages) fn meta(site: &Site, _: &str) -> Meta {
    let city = &site.city;
    let description =
        format!("Events in {city} tonight, and the places that are open now, until 4 a.m.");
    Meta::page(&format!("Tonight in {city}"), "/tonight/").described(description)
}

pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let (tonight, answer) = page.get(tonight::call()).await?;
    let query = page.path.split_once('?').map_or("", |(_, query)| query);
    let params = Params::parse(query);
    let param = |name| params.text(name).ok().flatten();
    let content = Evening::new(
        &tonight,
        site.timezone,
        page.catalogue.clock.now(),
        param("at"),
    )
    .map(|evening| evening.content(site, param("type")))
    .unwrap_or_default();
    Ok(Opening {
        meta: meta(site, page.path),
        content,
        answers: vec![answer.separate()],
    })
}

/// The day's file at a time.
struct Evening<'a> {
    tonight: &'a Tonight,
    zone: Tz,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// The time that the page shows: the reader's choice, otherwise now.
    at: DateTime<Utc>,
    /// The hours to choose from.
    choices: Vec<DateTime<Utc>>,
    /// Whether `at` is one of the choices.
    is_chosen: bool,
}

/// The state of a place's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// It closes soon.
    LastOrders,
    /// It has just closed.
    Closed,
}

impl<'a> Evening<'a> {
    /// Returns `None` if the file's times are invalid.
    fn new(
        tonight: &'a Tonight,
        zone: Tz,
        now: DateTime<Utc>,
        chosen: Option<&str>,
    ) -> Option<Self> {
        let starts_at = instant::from_rfc3339(&tonight.starts_at)?;
        let ends_at = instant::from_rfc3339(&tonight.ends_at)?;
        let hours = (FIRST_CHOICE..).map(|hour| starts_at + TimeDelta::hours(hour));
        let choices: Vec<_> = hours
            .take_while(|hour| *hour < ends_at)
            .filter(|hour| *hour > now)
            .collect();
        let chosen = choices
            .iter()
            .copied()
            .find(|hour| Some(&*value(*hour, zone)) == chosen);
        Some(Self {
            tonight,
            zone,
            starts_at,
            ends_at,
            at: chosen.unwrap_or(now),
            choices,
            is_chosen: chosen.is_some(),
        })
    }

    /// The events that are not over, in the order of the file.
    fn events(&self) -> Vec<&'a Event> {
        let is_over = |event: &Event| {
            let at = |text: &Option<String>| text.as_deref().and_then(instant::from_rfc3339);
            let starts = at(&event.occurrence.starts_at);
            let ends = at(&event.occurrence.ends_at).filter(|ends| Some(*ends) != starts);
            let ends = ends.or_else(|| Some(starts? + USUAL_LENGTH));
            ends.is_some_and(|ends| ends <= self.at)
        };
        let events = self.tonight.events.iter().map(|one| &one.event);
        events.filter(|event| !is_over(event)).collect()
    }

    /// The places that are open or have just closed, with the end of that period in minutes after the start of the day.
    fn places(&self, kind: Option<&str>) -> Vec<(&'a OpenPlace, State, i64)> {
        let at = (self.at - self.starts_at).num_minutes();
        let end_of_day = (self.ends_at - self.starts_at).num_minutes();
        let places = self.tonight.places.iter();
        let places = places.filter(|place| kind.is_none_or(|slug| place.r#type == slug));
        let shown = places.filter_map(|place| {
            let periods = place.open.iter();
            let mut ends = periods.filter_map(|[start, end]| {
                if *start > at {
                    None
                } else if at < *end {
                    let closes_soon = *end < end_of_day && end - at <= LAST_ORDERS;
                    let state = if closes_soon {
                        State::LastOrders
                    } else {
                        State::Open
                    };
                    Some((state, *end))
                } else {
                    let is_shown = !self.is_chosen && at < end + CROSSED_OUT;
                    is_shown.then_some((State::Closed, *end))
                }
            });
            let (state, end) = ends.next()?;
            Some((place, state, end))
        });
        shown.collect()
    }

    fn content(&self, site: &Site, kind: Option<&str>) -> Markup {
        let kind = kind.filter(|slug| self.tonight.types.iter().any(|one| one.slug == *slug));
        let (events, places) = (self.events(), self.places(kind));
        let open = places
            .iter()
            .filter(|(_, state, _)| *state != State::Closed);
        let number = |count: usize| counted(i64::try_from(count).unwrap_or(i64::MAX), PLACES);
        html! {
            (head(None, &format!("Tonight in {}", site.city), &deck(&self.facts())))
            (self.times(kind))
            div class="tonight_columns" {
                @if site.has("events") {
                    section {
                        h2 class="tonight_heading" { "What’s on" }
                        @if events.is_empty() {
                            p class="tonight_nothing" {
                                "Nothing more tonight. " a href="/events/" { "See the next days" }
                            }
                        } @else {
                            div class="tonight_events" { (item_cards::event_lines(site, events)) }
                        }
                    }
                }
                section {
                    h2 class="tonight_heading" {
                        (self.heading()) " " span { (number(open.count())) }
                    }
                    (self.types(kind))
                    div class="tonight_tools" data-reserved { (select_fields(1)) (button_space("Button_outline")) }
                    ul class="OpenPlaces_list" {
                        @for (place, state, end) in places.iter().take(FIRST_PLACES) {
                            li { (self.place(place, *state, *end)) }
                        }
                    }
                }
            }
        }
    }

    fn facts(&self) -> String {
        let sunset = self
            .tonight
            .sunset
            .as_deref()
            .and_then(instant::from_rfc3339);
        let sunset =
            sunset.map(|at| format!("Sunset {}", dates::time(&at.with_timezone(&self.zone))));
        let kitchens = match self.tonight.late_kitchens {
            0 => None,
            1 => Some("1 kitchen open past midnight".to_owned()),
            number => Some(format!("{number} kitchens open past midnight")),
        };
        let facts: Vec<_> = sunset.into_iter().chain(kitchens).collect();
        facts.join(" · ")
    }

    fn heading(&self) -> String {
        if self.is_chosen {
            format!("Open at {}", self.words(self.at))
        } else {
            "Open now".to_owned()
        }
    }

    fn words(&self, at: DateTime<Utc>) -> String {
        opening_hours::time_in_words(at.with_timezone(&self.zone).time())
    }

    /// The choice of an hour (`web/src/ui/TabStrip.tsx`).
    fn times(&self, kind: Option<&str>) -> Markup {
        let now = [("Now".to_owned(), None)].into_iter();
        let later = self.choices.iter();
        let later = later.map(|hour| (self.words(*hour), Some(value(*hour, self.zone))));
        let chosen = self.is_chosen.then(|| value(self.at, self.zone));
        let tabs = now.chain(later).map(|(label, at)| {
            let is_current = at == chosen;
            (label, address(at.as_deref(), kind), is_current)
        });
        tab_strip("Time", tabs)
    }

    fn types(&self, kind: Option<&str>) -> Markup {
        let at = self.is_chosen.then(|| value(self.at, self.zone));
        let all = [("All".to_owned(), None)].into_iter();
        let each = self.tonight.types.iter();
        let each = each.map(|one| (one.name.clone(), Some(&*one.slug)));
        let tabs = all
            .chain(each)
            .map(|(label, slug)| (label, address(at.as_deref(), slug), slug == kind));
        tab_strip("Type", tabs)
    }

    /// A place's row (`web/src/features/tonight/OpenPlaces.tsx`).
    fn place(&self, place: &OpenPlace, state: State, end: i64) -> Markup {
        let end = self.starts_at + TimeDelta::minutes(end);
        let class = match state {
            State::Open => "OpenPlaces_row",
            State::LastOrders => "OpenPlaces_row OpenPlaces_last",
            State::Closed => "OpenPlaces_row OpenPlaces_closed",
        };
        let hours = match state {
            _ if end >= self.ends_at => "All night".to_owned(),
            State::Open => format!("Until {}", self.words(end)),
            State::LastOrders => format!("Closes at {}", self.words(end)),
            State::Closed => format!("Closed at {}", self.words(end)),
        };
        let area = place.neighbourhood.as_ref().map(|area| &area.name);
        let meta: Vec<_> = [Some(&place.kind), area]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        html! {
            article class=(class) {
                h3 class="OpenPlaces_name" { a href=(place.share_url) { (place.name) } }
                p class="OpenPlaces_hours" { (hours) }
                p class="OpenPlaces_meta" { (meta.join(" · ")) }
                @if let Some(line) = &place.line { p class="OpenPlaces_line" { (line) } }
            }
        }
    }
}

/// The value of a full hour in the page's address: "23:00".
fn value(at: DateTime<Utc>, zone: Tz) -> String {
    at.with_timezone(&zone).format("%H:%M").to_string()
}

fn address(at: Option<&str>, kind: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let given = [("at", at), ("type", kind)];
    for (name, value) in given
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
    {
        query.append_pair(name, value);
    }
    match query.finish() {
        query if query.is_empty() => "/tonight/".to_owned(),
        query => format!("/tonight/?{query}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// 30 November, 4 a.m. in Toronto.
    const START: &str = "2026-11-30T09:00:00.000Z";

    fn tonight() -> Tonight {
        let place = |id: i64, kind: &str, open: serde_json::Value| {
            json!({"id": id, "name": id.to_string(), "share_url": format!("/{kind}/{id}/"), "type": kind,
                "kind": "Bar", "neighbourhood": null, "line": null, "position": null, "open": open})
        };
        serde_json::from_value(json!({
            "day": "2026-11-30", "starts_at": START, "ends_at": "2026-12-01T09:00:00.000Z",
            "sunset": "2026-11-30T21:43:00.000Z", "late_kitchens": 11, "events": [],
            "places": [
                place(1, "bars", json!([[780, 1_320]])),
                place(2, "restaurants", json!([[420, 600], [840, 1_080]])),
                place(3, "bars", json!([[0, 1_440]])),
            ],
            "types": [{"slug": "bars", "name": "Bars", "count": 2}],
        }))
        .expect("a file")
    }

    fn shown(minute: i64, chosen: Option<&str>, kind: Option<&str>) -> String {
        let tonight = tonight();
        let now = instant::from_rfc3339(START).expect("an instant") + TimeDelta::minutes(minute);
        let zone = chrono_tz::America::Toronto;
        let evening = Evening::new(&tonight, zone, now, chosen).expect("valid times");
        let places = evening.places(kind).into_iter();
        let each = places.map(|(place, state, _)| format!("{} {state:?}", place.id));
        each.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn places_are_open_about_to_close_or_have_just_closed() {
        assert_eq!(shown(960, None, None), "1 Open, 2 Open, 3 Open");
        assert_eq!(shown(1_020, None, None), "1 Open, 2 LastOrders, 3 Open");
        assert_eq!(shown(1_094, None, None), "1 Open, 2 Closed, 3 Open");
        assert_eq!(shown(1_095, None, None), "1 Open, 3 Open");
        assert_eq!(shown(960, Some("22:00"), None), "1 Open, 3 Open");
        assert_eq!(shown(960, None, Some("bars")), "1 Open, 3 Open");
        // The hour has passed, so it is not a choice.
        assert_eq!(shown(960, Some("19:00"), None), shown(960, None, None));
    }

    #[test]
    fn choices_are_full_hours_of_the_evening_with_their_own_addresses() {
        let tonight = tonight();
        let now = instant::from_rfc3339("2026-12-01T02:10:00.000Z").expect("an instant");
        let zone = chrono_tz::America::Toronto;
        let evening = Evening::new(&tonight, zone, now, Some("23:00")).expect("valid times");
        let times = evening
            .times(Some("bars"))
            .into_string()
            .replace('\u{a0}', " ");
        for link in [
            r#"<a href="/tonight/?type=bars">Now</a>"#,
            r#"<a href="/tonight/?at=22%3A00&amp;type=bars">10:00 p.m.</a>"#,
            r#"<a href="/tonight/?at=23%3A00&amp;type=bars" aria-current="page">11:00 p.m.</a>"#,
            r#"<a href="/tonight/?at=00%3A00&amp;type=bars">midnight</a>"#,
        ] {
            assert!(times.contains(link), "{link} in {times}");
        }
        assert!(!times.contains("9:00"), "{times}");
        let facts = evening.facts().replace('\u{a0}', " ");
        assert_eq!(facts, "Sunset 4:43 p.m. · 11 kitchens open past midnight");
    }
}
