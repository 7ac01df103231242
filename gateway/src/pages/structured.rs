//! What a page is about in schema.org's terms, as search engines read them. Of what is age-restricted the
//! services answer a name alone, and no more of it stands here.

use chassis::instant;
use chrono::{DateTime, SecondsFormat};
use chrono_tz::Tz;
use cityguide_proto::{
    editorial::v1::{Event, Item, Kind, Occurrence, Video, item::Detail},
    places::v1::{BestOfEntry, BestOfList, Listing, ListingType, Neighbourhood},
};
use prost_types::Timestamp;
use serde_json::{Value, json};

use super::meta::breadcrumbs;
use crate::site::Site;

/// Where a page stands below the front page.
pub(super) fn within(site: &Site, origin: &str, steps: &[(&str, &str)]) -> Value {
    let all: Vec<_> = [(site.name.as_str(), "/")]
        .iter()
        .chain(steps)
        .copied()
        .collect();
    breadcrumbs(origin, &all)
}

/// The site itself.
pub(super) fn site(site: &Site, origin: &str) -> Value {
    json!({"@type": "WebSite", "name": site.name, "url": format!("{origin}/"),
        "description": site.tagline, "publisher": organization(site, origin)})
}

fn organization(site: &Site, origin: &str) -> Value {
    json!({"@type": "NewsMediaOrganization", "name": site.name, "url": format!("{origin}/")})
}

/// A place: a restaurant where it serves food.
pub(super) fn place(site: &Site, origin: &str, place: &Listing, kind: &ListingType) -> Vec<Value> {
    let url = format!("/{}/{}/", kind.slug, place.slug);
    let schema = if kind.is_food {
        "Restaurant"
    } else {
        "LocalBusiness"
    };
    let mut object = json!({"@type": schema, "name": place.name, "url": format!("{origin}{url}")});
    if let Some(image) = &place.image_url {
        object["image"] = json!(format!("{origin}{image}"));
    }
    // Of a closed place nothing invites anyone to go there.
    if !place.is_closed {
        open_place(site, place, kind, &mut object);
    }
    let type_url = format!("/{}/", kind.slug);
    let steps = [(&*kind.name, &*type_url), (&*place.name, &*url)];
    vec![object, within(site, origin, &steps)]
}

fn open_place(site: &Site, place: &Listing, kind: &ListingType, object: &mut Value) {
    if let Some(address) = &place.address {
        object["address"] = json!({"@type": "PostalAddress", "streetAddress": address,
            "addressLocality": site.city});
    }
    if let Some(phone) = &place.phone {
        object["telephone"] = json!(phone);
    }
    if let Some(website) = &place.website {
        object["sameAs"] = json!(website);
    }
    if let Some(at) = place.coordinates {
        object["geo"] = json!({"@type": "GeoCoordinates",
            "latitude": at.latitude, "longitude": at.longitude});
    }
    if let Some(rating) = place.rating {
        object["aggregateRating"] = json!({"@type": "AggregateRating",
            "ratingValue": rating, "ratingCount": place.voters, "bestRating": 5, "worstRating": 1});
    }
    if kind.is_food
        && let Some(cuisine) = &place.sub_type
    {
        object["servesCuisine"] = json!(cuisine.name);
    }
}

pub(super) fn neighbourhood(site: &Site, origin: &str, area: &Neighbourhood) -> Vec<Value> {
    let url = format!("/neighbourhoods/{}/", area.slug);
    let object = json!({"@type": "Place", "name": area.name, "url": format!("{origin}{url}"),
        "containedInPlace": {"@type": "City", "name": site.city}});
    let steps = [("Neighbourhoods", "/neighbourhoods/"), (&*area.name, &*url)];
    vec![object, within(site, origin, &steps)]
}

/// A best-of list: what it ranks, the best first.
pub(super) fn best_of(
    site: &Site,
    origin: &str,
    list: &BestOfList,
    entries: Vec<BestOfEntry>,
) -> Vec<Value> {
    let items = entries.into_iter().map(|entry| {
        let place = entry.listing.unwrap_or_default();
        let kind = place.r#type.unwrap_or_default();
        json!({"@type": "ListItem", "position": entry.rank, "name": place.name,
            "url": format!("{origin}/{}/{}/", kind.slug, place.slug)})
    });
    let items: Vec<_> = items.collect();
    let object = json!({"@type": "ItemList", "name": list.name,
        "itemListOrder": "https://schema.org/ItemListOrderAscending",
        "numberOfItems": items.len(), "itemListElement": items});
    let all = format!("/{}/", site.city_slug);
    let best = format!("The best of {}", site.city);
    let url = site.best_of_url(&list.slug);
    vec![
        object,
        within(site, origin, &[(&*best, &*all), (&*list.name, &*url)]),
    ]
}

/// An article, event, contest, video or static page.
pub(super) fn item(site: &Site, origin: &str, item: &Item) -> Vec<Value> {
    let mut object = json!({"name": item.name, "url": format!("{origin}{}", item.path)});
    if let Some(image) = &item.image_url {
        object["image"] = json!([format!("{origin}{image}")]);
    }
    if !item.excerpt.is_empty() {
        object["description"] = json!(item.excerpt);
    }
    let section = format!("/{}/", item.section);
    let above = match item.kind() {
        Kind::Article => {
            article(site, origin, item, &mut object);
            let name = site.section_name(&item.section).unwrap_or(&item.section);
            Some((name, section.as_str()))
        }
        Kind::Event => Some(("Events", "/events/")),
        Kind::Contest => Some(("Contests", "/contests/")),
        Kind::Video => Some(("Videos", "/videos/")),
        Kind::Page | Kind::Unspecified => None,
    };
    match &item.detail {
        Some(Detail::Event(detail)) => event(site, origin, detail, &mut object),
        Some(Detail::Video(detail)) => video(item, detail, &mut object),
        _ if item.kind() != Kind::Article => object["@type"] = json!("WebPage"),
        _ => {}
    }
    let steps: Vec<_> = above
        .into_iter()
        .chain([(&*item.name, &*item.path)])
        .collect();
    vec![object, within(site, origin, &steps)]
}

fn article(site: &Site, origin: &str, item: &Item, object: &mut Value) {
    object["@type"] = json!("NewsArticle");
    object["headline"] = json!(item.name);
    object["mainEntityOfPage"] = object["url"].clone();
    object["publisher"] = organization(site, origin);
    object["isAccessibleForFree"] = json!(true);
    if let Some(published) = written(item.date_published.as_ref()) {
        object["datePublished"] = json!(published);
    }
    let authors = item.authors.iter().map(|author| {
        json!({"@type": "Person", "name": author.name,
            "url": format!("{origin}/archives/?author={}", author.slug)})
    });
    let authors: Vec<_> = authors.collect();
    if !authors.is_empty() {
        object["author"] = Value::Array(authors);
    }
}

fn event(site: &Site, origin: &str, event: &Event, object: &mut Value) {
    object["@type"] = json!("Event");
    object["eventStatus"] = json!("https://schema.org/EventScheduled");
    object["eventAttendanceMode"] = json!("https://schema.org/OfflineEventAttendanceMode");
    object["isAccessibleForFree"] = json!(event.is_free);
    let zone = event.zone.parse().unwrap_or(site.timezone);
    let Occurrence { starts_at, ends_at } = event.occurrence.unwrap_or_default();
    for (name, at) in [("startDate", starts_at), ("endDate", ends_at)] {
        let at = at.as_ref().and_then(instant::from_proto);
        if let Some(at) = at {
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
}

/// A day, or a time with its zone's offset then.
fn local(at: DateTime<Tz>, is_all_day: bool) -> String {
    if is_all_day {
        at.date_naive().to_string()
    } else {
        at.to_rfc3339_opts(SecondsFormat::Secs, true)
    }
}

fn video(item: &Item, video: &Video, object: &mut Value) {
    object["@type"] = json!("VideoObject");
    object["duration"] = json!(format!("PT{}S", video.duration_seconds));
    if let Some(published) = written(item.date_published.as_ref()) {
        object["uploadDate"] = json!(published);
    }
    // Where it can be watched, which is no file.
    if !video.url.is_empty() {
        object["sameAs"] = json!(video.url);
    }
    if object["image"].is_array() {
        object["thumbnailUrl"] = object["image"].clone();
    }
}

fn written(at: Option<&Timestamp>) -> Option<String> {
    at.and_then(instant::from_proto).map(instant::to_rfc3339)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc(text: &str) -> Option<Timestamp> {
        instant::from_rfc3339(text).map(instant::to_proto)
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

    #[test]
    fn a_video_without_a_still_names_none() {
        let mut item = Item {
            name: "Ferry".to_owned(),
            date_published: utc("2026-01-01T03:00:00.000Z"),
            ..Item::default()
        };
        let detail = Video {
            url: "https://video.example/ferry".to_owned(),
            duration_seconds: 90,
        };
        let mut object = json!({"name": item.name});
        video(&item, &detail, &mut object);
        assert_eq!(
            object,
            json!({"name": "Ferry", "@type": "VideoObject", "duration": "PT90S",
                "uploadDate": "2026-01-01T03:00:00.000Z", "sameAs": "https://video.example/ferry"})
        );
        item.date_published = None;
        let mut object = json!({"image": ["https://x.example/a.jpg"]});
        video(&item, &Video::default(), &mut object);
        assert_eq!(object["thumbnailUrl"][0], "https://x.example/a.jpg");
        assert!(object.get("uploadDate").is_none() && object.get("sameAs").is_none());
    }
}
