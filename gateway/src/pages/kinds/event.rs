//! An event (`web/src/routes/event.tsx`).

use chassis::instant;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use chrono_tz::Tz;
use maud::{Markup, html};
use serde_json::{Value, json};
use site::{
    Site,
    ads::slot::{PageKind, Spot},
};

use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            ads,
            detail::Detail,
            head::notice,
            icons,
            item_cards::place_note,
            markup::{Loading, fact, frame, headline, item_text, link, newsletter_space},
            share::share,
        },
        meta::Meta,
        opening::{Opening, PageContext},
        schema_org::{self, breadcrumbs, organization},
    },
    v2::{
        items::{
            events::{Event, Occurrence},
            resource,
        },
        neighbourhoods::{self, Neighbourhood},
    },
    words::occasion,
};

/// Maximum number of dates listed after the next one.
const LISTED: usize = 5;

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let (event, answers) = page
        .get_resolved(resource::detail_call::<Event>(id))
        .await?;
    let item = &event.card;
    let steps = [("Events", "/events/"), (&*item.name, &*item.share_url)];
    let crumbs = breadcrumbs(page.site(), page.origin(), &steps);
    let area = area(page, &event).await?;
    Ok(Opening {
        meta: Meta {
            structured: vec![structured(page.site(), page.origin(), &event), crumbs],
            ..Meta::item(item, page.path)
        },
        content: content(page, &event, area.as_ref()),
        answers,
    })
}

/// The neighbourhood of the event.
async fn area(page: &PageContext<'_>, event: &Event) -> Result<Option<Neighbourhood>, ApiError> {
    let Some(slug) = &event.neighbourhood else {
        return Ok(None);
    };
    if !page.site().has("neighbourhoods") {
        return Ok(None);
    }
    let (all, _) = page.get(neighbourhoods::list_call()).await?;
    Ok(all.results.into_iter().find(|area| area.slug == *slug))
}

fn content(page: &PageContext<'_>, event: &Event, area: Option<&Neighbourhood>) -> Markup {
    let site = page.site();
    let item = &event.card;
    let kicker = html! {
        (link("/events/", "Events"))
        @if let Some(category) = &event.category_name { span { (category) } }
    };
    let detail = Detail {
        headline: headline(&kicker, &item.name, &item.excerpt),
        picture: frame(item.image_url.as_deref(), Loading::AtOnce),
        side: facts(event, area),
        below: Markup::default(),
        share: share(page.origin(), &item.share_url, &item.name),
        is_story_first: false,
        story: html! {
            (item_text(site, item, event.body.as_deref().unwrap_or_default()))
            @if let Some(place) = &event.listing { (place_note(place)) }
            @if is_over(&event.occurrence, page.catalogue.clock.now()) {
                (notice("This event is over", &link("/events/", "See what’s on")))
            }
        },
    };
    html! {
        (detail.html())
        (ads::beside(site, PageKind::Event, Spot::Lead, item.is_age_restricted))
        (newsletter_space())
    }
}

/// Whether an occurrence has ended. Without an end, it lasts a day (`web/src/features/events/when.ts`).
fn is_over(occurrence: &Occurrence, now: DateTime<Utc>) -> bool {
    let instant = |at: &Option<String>| instant::from_rfc3339(at.as_deref()?);
    let starts = instant(&occurrence.starts_at).map(|at| at + TimeDelta::days(1));
    let ends = instant(&occurrence.ends_at).or(starts);
    ends.is_some_and(|at| at <= now)
}

/// Facts about the event (`web/src/features/events/EventFacts.tsx`).
fn facts(event: &Event, area: Option<&Neighbourhood>) -> Markup {
    let when = &event.occurrence;
    let calendar = format!("/api/v2/events/{}.ics", event.card.id);
    html! {
        aside aria-label="About this event" {
            dl class="Facts_facts" {
                (fact("When", &html! {
                    time datetime=[&when.starts_at] {
                        span class="EventFacts_day" { (when.days) }
                        span class="EventFacts_line" { (when.hours) }
                    }
                }))
                (later(event))
                @if !event.venue.is_empty() {
                    (fact("Venue", &html! {
                        @if let Some(place) = &event.listing { (link(&place.share_url, &event.venue)) }
                        @else { (event.venue) }
                    }))
                }
                @if !event.address.is_empty() { (fact("Address", &html! { (event.address) })) }
                @if let Some(area) = area {
                    (fact("Neighbourhood", &link(&area.share_url, &area.name)))
                } @else if let Some(slug) = &event.neighbourhood {
                    (fact("Neighbourhood", &html! { (occasion::category(slug)) }))
                }
                @if !event.price().is_empty() { (fact("Price", &html! { (event.price()) })) }
                @if let (Some(website), Some(host)) = (&event.website, &event.website_host) {
                    (fact("Website", &html! {
                        a href=(website) rel="noopener nofollow" target="_blank" { (host) }
                    }))
                }
            }
            div class="EventFacts_control" data-reserved {}
            a class="Button_button Button_solid EventFacts_calendar" href=(calendar) download {
                (icons::calendar())
                "Add to calendar"
            }
        }
    }
}

/// Further dates of a recurring event.
fn later(event: &Event) -> Markup {
    let all = event.occurrences.iter().flatten();
    let later = all.filter(|one| one.starts_at != event.occurrence.starts_at);
    let later: Vec<_> = later.take(LISTED).collect();
    let name = if event.repeats.is_some() {
        "Repeats"
    } else {
        "Then"
    };
    html! {
        @if event.repeats.is_some() || !later.is_empty() {
            (fact(name, &html! {
                @if let Some(often) = &event.repeats { (often) }
                @if !later.is_empty() {
                    ul class="EventFacts_later" {
                        @for one in later {
                            li { time datetime=[&one.starts_at] { (one.days) } }
                        }
                    }
                }
            }))
        }
    }
}

fn structured(site: &Site, origin: &str, event: &Event) -> Value {
    let mut object = schema_org::card(origin, "Event", &event.card);
    object["eventStatus"] = json!("https://schema.org/EventScheduled");
    object["eventAttendanceMode"] = json!("https://schema.org/OfflineEventAttendanceMode");
    object["isAccessibleForFree"] = json!(event.is_free);
    // All-day dates are in the event's own zone.
    let own = event.timezone.parse().ok().filter(|_| event.is_all_day);
    let zone = own.unwrap_or(site.timezone);
    let occurrence = &event.occurrence;
    for (name, at) in [
        ("startDate", &occurrence.starts_at),
        ("endDate", &occurrence.ends_at),
    ] {
        if let Some(at) = at.as_deref().and_then(instant::from_rfc3339) {
            object[name] = json!(local(at.with_timezone(&zone), event.is_all_day));
        }
    }
    let mut address = json!({"@type": "PostalAddress", "addressLocality": site.city});
    if !event.address.is_empty() {
        address["streetAddress"] = json!(event.address);
    }
    let venue = Some(&event.venue).filter(|venue| !venue.is_empty());
    let name = venue.unwrap_or(&site.city);
    object["location"] = json!({"@type": "Place", "name": name, "address": address});
    object["organizer"] = organization(site, origin);
    object
}

/// Formats a date, or a time with the zone's offset at that time.
fn local(at: DateTime<Tz>, is_all_day: bool) -> String {
    if is_all_day {
        at.date_naive().to_string()
    } else {
        at.to_rfc3339_opts(SecondsFormat::Secs, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_over_at_its_end_or_a_day_after_its_start() {
        let at = |text: &str| instant::from_rfc3339(text).expect("an instant");
        let ends = "2026-11-21T04:00:00.000Z";
        let occurrence = |ends_at: Option<&str>| Occurrence {
            starts_at: Some("2026-11-21T01:00:00.000Z".to_owned()),
            ends_at: ends_at.map(str::to_owned),
            days: String::new(),
            hours: String::new(),
        };
        assert!(!is_over(
            &occurrence(Some(ends)),
            at("2026-11-21T03:59:59.000Z")
        ));
        assert!(is_over(&occurrence(Some(ends)), at(ends)));
        assert!(!is_over(&occurrence(None), at(ends)));
        assert!(is_over(&occurrence(None), at("2026-11-22T01:00:00.000Z")));
    }

    #[test]
    fn an_event_says_its_time_with_the_offset_of_its_zone_and_a_whole_day_as_a_day() {
        let zone: Tz = "Canada/Eastern".parse().expect("a zone");
        let at = |text: &str| {
            let at = instant::from_rfc3339(text).expect("an instant");
            at.with_timezone(&zone)
        };
        // The clocks go back between these two.
        let (summer, winter) = (
            at("2026-10-31T22:00:00.000Z"),
            at("2026-11-01T22:00:00.000Z"),
        );
        assert_eq!(local(summer, false), "2026-10-31T18:00:00-04:00");
        assert_eq!(local(winter, false), "2026-11-01T17:00:00-05:00");
        assert_eq!(local(at("2026-07-01T04:00:00.000Z"), true), "2026-07-01");
    }
}
