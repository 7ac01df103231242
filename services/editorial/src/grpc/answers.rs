//! Converts domain types to protobuf.

use chassis::instant;
use chrono::{DateTime, Utc};
use editorial_proto::v1::{self as proto, item};

use crate::{
    domain::{
        CalendarEvent, Contest, Detail, Event, Item, ItemText, Kind, MonthCount, Named, Occurrence,
        Video,
    },
    usecases::{get_item::Found, resolve::Resolved},
};

/// Format of local times in responses.
const LOCAL: &str = "%Y-%m-%dT%H:%M:%S";

pub(super) fn kind(kind: Kind) -> proto::Kind {
    match kind {
        Kind::Article => proto::Kind::Article,
        Kind::Event => proto::Kind::Event,
        Kind::Contest => proto::Kind::Contest,
        Kind::Video => proto::Kind::Video,
        Kind::Page => proto::Kind::Page,
    }
}

/// An item in a list, with its text if requested.
pub(super) fn card(found: ItemText, now: DateTime<Utc>) -> proto::Item {
    proto::Item {
        body_html: found.body_html,
        ..item(found.item, now)
    }
}

fn item(item: Item, now: DateTime<Utc>) -> proto::Item {
    let path = item.path();
    let detail = match item.detail {
        Detail::Plain => None,
        Detail::Event(detail) => {
            let detail = event(*detail, item.occurrence, item.version);
            Some(item::Detail::Event(detail))
        }
        Detail::Contest(detail) => Some(item::Detail::Contest(contest(detail, now))),
        Detail::Video(Video {
            url,
            duration_seconds,
        }) => Some(item::Detail::Video(proto::Video {
            url,
            duration_seconds,
        })),
    };
    proto::Item {
        id: item.id,
        kind: kind(item.kind).into(),
        path,
        section: item.section,
        slug: item.slug,
        name: item.name,
        excerpt: item.excerpt,
        image_url: item.image_url,
        is_age_restricted: item.is_age_restricted,
        date_published: Some(instant::to_proto(item.published_at)),
        authors: item.authors.into_iter().map(named).collect(),
        tags: item.tags.into_iter().map(named).collect(),
        detail,
        body_html: String::new(),
    }
}

pub(super) fn calendar_event(event: CalendarEvent, now: DateTime<Utc>) -> proto::CalendarEvent {
    proto::CalendarEvent {
        item: Some(card(event.item, now)),
        is_unpublished: !event.is_live,
        date_changed: Some(instant::to_proto(event.last_change)),
    }
}

fn event(event: Event, occurs: Option<Occurrence>, version: i64) -> proto::Event {
    let schedule = event.schedule;
    let local = |at: chrono::NaiveDateTime| at.format(LOCAL).to_string();
    proto::Event {
        occurrence: occurs.map(occurrence),
        is_all_day: schedule.is_all_day,
        zone: schedule.zone.name().to_owned(),
        starts_local: local(schedule.starts),
        ends_local: local(schedule.ends),
        recurrence: schedule.rule,
        exceptions: schedule.exceptions.into_iter().map(local).collect(),
        additions: schedule.additions.into_iter().map(local).collect(),
        listing_id: event.listing_id,
        venue: event.venue,
        address: event.address,
        category: event.category,
        neighbourhood: event.neighbourhood,
        is_free: event.is_free,
        price: event.price,
        website: event.website,
        sequence: version - 1,
    }
}

fn contest(contest: Contest, now: DateTime<Utc>) -> proto::Contest {
    proto::Contest {
        has_closed: contest.has_closed(now),
        opens_at: Some(instant::to_proto(contest.opens_at)),
        closes_at: Some(instant::to_proto(contest.closes_at)),
        question: contest.question,
        rules: contest.rules,
    }
}

fn named(named: Named) -> proto::Named {
    proto::Named {
        slug: named.slug,
        name: named.name,
    }
}

fn occurrence(occurrence: Occurrence) -> proto::Occurrence {
    proto::Occurrence {
        starts_at: Some(instant::to_proto(occurrence.starts_at)),
        ends_at: Some(instant::to_proto(occurrence.ends_at)),
    }
}

pub(super) fn detail((found, upcoming): Found, now: DateTime<Utc>) -> proto::ItemDetail {
    proto::ItemDetail {
        item: Some(item(found.item, now)),
        body_html: found.body_html,
        occurrences: upcoming.into_iter().map(occurrence).collect(),
    }
}

pub(super) fn month(month: MonthCount) -> proto::Month {
    proto::Month {
        year: month.year,
        month: month.month.unsigned_abs(),
        count: month.count,
    }
}

pub(super) fn resolved(resolved: &Resolved) -> proto::ResolveResponse {
    let item = &resolved.found.item;
    proto::ResolveResponse {
        kind: kind(item.kind).into(),
        id: item.id,
        canonical: item.path(),
        has_moved: resolved.has_moved,
    }
}
