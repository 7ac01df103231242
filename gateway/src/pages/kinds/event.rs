//! An event (`web/src/routes/event.tsx`).

use chassis::instant;
use chrono::{DateTime, SecondsFormat};
use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::{
    edge::error::ApiError,
    pages::{
        content::cards,
        meta::Meta,
        opening::{Opening, PageContext},
        schema_org::{self, breadcrumbs, organization},
    },
    site::Site,
    v2::items::{events::Event, resource},
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let (event, answers) = page
        .get_resolved(resource::detail_call::<Event>(id))
        .await?;
    let item = &event.card;
    let steps = [("Events", "/events/"), (&*item.name, &*item.share_url)];
    let crumbs = breadcrumbs(page.site(), page.origin(), &steps);
    let body = event.body.as_deref().unwrap_or_default();
    Ok(Opening {
        meta: Meta {
            structured: vec![structured(page.site(), page.origin(), &event), crumbs],
            ..Meta::item(item, page.path)
        },
        content: cards::text(&item.name, &item.excerpt, body),
        answers,
    })
}

fn structured(site: &Site, origin: &str, event: &Event) -> Value {
    let mut object = schema_org::card(origin, "Event", &event.card);
    object["eventStatus"] = json!("https://schema.org/EventScheduled");
    object["eventAttendanceMode"] = json!("https://schema.org/OfflineEventAttendanceMode");
    object["isAccessibleForFree"] = json!(event.is_free);
    let zone = event.timezone.parse().unwrap_or(site.timezone);
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

/// A day, or a time with the zone's offset at that time.
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
