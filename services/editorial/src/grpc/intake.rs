//! Converts protobuf messages of an import to proposals.

use chassis::{
    instant,
    intake::{Message, Origin},
    markup::LinkedPlace,
    text::line,
};
use chrono::{DateTime, NaiveDateTime, Utc};
use editorial_proto::v1::{
    self as proto, ImportItem, ImportRequest, import_item, import_request::Item as Sent,
};
use prost_types::Timestamp;

use crate::domain::{
    Contest, Detail, Event, Incoming, Kind, Named, Proposal, Replaced, Schedule, Video, zone,
};

/// Returns the kind in a message; `None` if unspecified.
pub(super) fn kind(kind: proto::Kind) -> Option<Kind> {
    match kind {
        proto::Kind::Unspecified => None,
        proto::Kind::Article => Some(Kind::Article),
        proto::Kind::Event => Some(Kind::Event),
        proto::Kind::Contest => Some(Kind::Contest),
        proto::Kind::Video => Some(Kind::Video),
        proto::Kind::Page => Some(Kind::Page),
    }
}

pub(super) fn read(message: ImportRequest) -> Message<Kind, Incoming> {
    let content = match message.item {
        Some(Sent::Finish(finish)) => return Message::Finish(finish),
        Some(Sent::Content(content)) => content,
        None => ImportItem::default(),
    };
    let origin = Origin::new(&content.position, &content.source_id);
    let (kind, item) = match kind(content.kind()) {
        Some(kind) => (kind, incoming(kind, content)),
        None => (Kind::Page, Err("the item names no kind".to_owned())),
    };
    Message::Item { kind, origin, item }
}

fn incoming(kind: Kind, content: ImportItem) -> Result<Incoming, String> {
    let replaced = content.replaces.as_ref();
    Ok(Incoming {
        source_id: content.source_id.trim().to_owned(),
        yields: content.yields,
        replaces: replaced.map(occurrence_replaced).transpose()?,
        proposal: if content.is_cancelled {
            None
        } else {
            Some(Box::new(proposal(kind, content)?))
        },
    })
}

fn occurrence_replaced(replaced: &proto::ReplacedOccurrence) -> Result<Replaced, String> {
    Ok(Replaced {
        series: line("source id of the series", &replaced.series)?,
        starts: local("start of the occurrence", &replaced.starts_local)?,
        zone: zone(&replaced.zone)?,
    })
}

fn proposal(kind: Kind, content: ImportItem) -> Result<Proposal, String> {
    let optional =
        |what: &str, time: Option<&Timestamp>| time.map(|time| at(what, time)).transpose();
    Ok(Proposal {
        source_id: content.source_id,
        kind,
        section: content.section,
        slug: content.slug,
        name: content.name,
        excerpt: content.excerpt,
        body: content.body_markdown,
        image_url: content.image_url,
        is_age_restricted: content.is_age_restricted,
        published_at: optional("date of publication", content.published_at.as_ref())?,
        unpublished_at: optional("end of publication", content.unpublished_at.as_ref())?,
        is_draft: content.is_draft,
        authors: named("author", &content.authors)?,
        tags: named("tag", &content.tags)?,
        moved_from: content.moved_from,
        places: content.places.into_iter().map(named_place).collect(),
        named: content
            .named
            .into_iter()
            .map(|place| named_place(place).1)
            .collect(),
        listing_ids: Vec::new(),
        detail: match content.detail {
            None => Detail::Plain,
            Some(import_item::Detail::Event(detail)) => Detail::Event(Box::new(event(detail)?)),
            Some(import_item::Detail::Contest(detail)) => Detail::Contest(contest(detail)?),
            Some(import_item::Detail::Video(video)) => Detail::Video(Video {
                url: video.url,
                duration_seconds: video.duration_seconds,
            }),
        },
    })
}

fn event(event: proto::Event) -> Result<Event, String> {
    let times = |what: &str, texts: &[String]| {
        let times = texts.iter().map(|text| local(what, text));
        times.collect::<Result<Vec<_>, _>>()
    };
    Ok(Event {
        schedule: Schedule {
            zone: zone(&event.zone)?,
            starts: local("start", &event.starts_local)?,
            ends: local("end", &event.ends_local)?,
            is_all_day: event.is_all_day,
            rule: event.recurrence,
            exceptions: times("exception", &event.exceptions)?,
            additions: times("addition", &event.additions)?,
        },
        listing_id: event.listing_id,
        venue: event.venue,
        address: event.address,
        category: event.category,
        neighbourhood: event.neighbourhood,
        is_free: event.is_free,
        price: event.price,
        website: event.website,
    })
}

fn named_place(place: proto::NamedPlace) -> (String, LinkedPlace) {
    let linked = LinkedPlace {
        id: place.listing_id,
        name: place.name,
        path: place.path,
    };
    (place.slug, linked)
}

fn contest(contest: proto::Contest) -> Result<Contest, String> {
    let time = |what: &str, time: Option<&Timestamp>| {
        at(
            what,
            time.ok_or_else(|| format!("the contest has no {what}"))?,
        )
    };
    Ok(Contest {
        opens_at: time("opening", contest.opens_at.as_ref())?,
        closes_at: time("closing", contest.closes_at.as_ref())?,
        question: contest.question,
        rules: contest.rules,
    })
}

fn named(what: &str, names: &[String]) -> Result<Vec<Named>, String> {
    names.iter().map(|name| Named::parse(what, name)).collect()
}

fn at(what: &str, time: &Timestamp) -> Result<DateTime<Utc>, String> {
    instant::from_proto(time).ok_or_else(|| format!("the {what} does not exist"))
}

fn local(what: &str, text: &str) -> Result<NaiveDateTime, String> {
    text.parse()
        .map_err(|_| format!("the {what} {text:?} is no local time: YYYY-MM-DDTHH:MM:SS"))
}
