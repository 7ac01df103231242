//! Converts domain types to protobuf.

use chassis::instant;
use cityguide_proto::paging::v1::PageInfo;
use places_proto::v1::{self as proto, resolve_response::Kind};

use crate::{
    domain::{
        BestOfEntry, BestOfList, Facts, Infraction, Inspection, Listing, ListingDetail,
        ListingType, Neighbourhood, PagePath, Ranking, Severity, with_facts,
    },
    usecases::{get_listing::Whole, list_listings::Found, list_open::Open, resolve::Resolved},
};

pub(super) fn listing(listing: Listing) -> proto::Listing {
    proto::Listing {
        rating: listing.votes.average(),
        voters: listing.votes.count,
        rankings: listing.rankings.into_iter().map(ranking).collect(),
        id: listing.id,
        slug: listing.slug,
        name: listing.name,
        r#type: Some(listing_type(listing.kind)),
        sub_type: listing.sub_type.map(|sub_type| proto::SubType {
            slug: sub_type.slug,
            name: sub_type.name,
        }),
        neighbourhood: listing.neighbourhood.map(neighbourhood),
        coordinates: listing.coordinates.map(|at| proto::Coordinates {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        opening_hours: listing.opening_hours.map(|hours| hours.as_str().to_owned()),
        date_published: Some(instant::to_proto(listing.date_published)),
        distance_metres: None,
        ..facts(listing.facts)
    }
}

macro_rules! to_message {
    ($facts:ident; $($fact:ident: $type:ty, $name:literal, $check:ident;)+) => {
        proto::Listing {
            $($fact: $facts.$fact,)+
            ..proto::Listing::default()
        }
    };
}

/// Returns a message with only the facts of a place.
fn facts(facts: Facts) -> proto::Listing {
    with_facts!(to_message! { facts; })
}

pub(super) fn found(found: Found) -> proto::Listing {
    proto::Listing {
        distance_metres: found.metres,
        ..listing(found.listing)
    }
}

pub(super) fn open(open: Open) -> proto::OpenPlace {
    let periods = open.periods.into_iter();
    proto::OpenPlace {
        listing: Some(listing(open.listing)),
        periods: periods
            .map(|period| proto::OpenPeriod {
                starts_at: Some(instant::to_proto(period.start)),
                ends_at: Some(instant::to_proto(period.end)),
            })
            .collect(),
    }
}

pub(super) fn whole(whole: Whole) -> proto::ListingDetail {
    let ListingDetail {
        listing: place,
        review,
    } = whole.detail;
    proto::ListingDetail {
        is_open_now: whole.is_open_now,
        hours_change_at: whole.hours_change_at.map(instant::to_proto),
        listing: Some(listing(place)),
        review: review.map(|review| proto::Review {
            body_html: review.html,
            author: review.author,
            date: review.date.to_string(),
        }),
        recent: whole.recent.into_iter().map(listing).collect(),
        best_of: whole.best_of.into_iter().map(best_of_list).collect(),
        similar: whole.similar.into_iter().map(listing).collect(),
        inspections: whole.inspections.map(inspections),
    }
}

pub(super) fn inspections(
    (found, page): (Vec<Inspection>, PageInfo),
) -> proto::ListInspectionsResponse {
    proto::ListInspectionsResponse {
        inspections: found.into_iter().map(inspection).collect(),
        page: Some(page),
    }
}

fn inspection(inspection: Inspection) -> proto::Inspection {
    proto::Inspection {
        id: inspection.id,
        date: inspection.date.to_string(),
        outcome: inspection.outcome,
        infractions: inspection.infractions.into_iter().map(infraction).collect(),
    }
}

fn infraction(infraction: Infraction) -> proto::Infraction {
    let severity = match infraction.severity {
        Severity::Unknown => proto::Severity::Unspecified,
        Severity::Minor => proto::Severity::Minor,
        Severity::Significant => proto::Severity::Significant,
        Severity::Crucial => proto::Severity::Crucial,
    };
    proto::Infraction {
        details: infraction.details,
        severity: severity.into(),
        action: infraction.action,
        court_outcome: infraction.court_outcome,
        fine_cents: infraction.fine_cents,
    }
}

pub(super) fn listing_type(kind: ListingType) -> proto::ListingType {
    proto::ListingType {
        id: kind.id,
        slug: kind.slug,
        name: kind.name,
        name_singular: kind.name_singular,
        count: kind.count,
        is_food: kind.is_food,
        is_age_restricted: kind.is_age_restricted,
    }
}

pub(super) fn neighbourhood(area: Neighbourhood) -> proto::Neighbourhood {
    proto::Neighbourhood {
        id: area.id,
        slug: area.slug,
        name: area.name,
        count: area.count,
    }
}

fn ranking(ranking: Ranking) -> proto::Ranking {
    proto::Ranking {
        slug: ranking.slug,
        name: ranking.name,
        rank: ranking.rank,
    }
}

pub(super) fn best_of_list(list: BestOfList) -> proto::BestOfList {
    proto::BestOfList {
        line: list.line(),
        id: list.id,
        slug: list.slug,
        name: list.name,
        intro_html: list.intro_html,
        image_url: list.image_url,
        date_published: Some(instant::to_proto(list.date_published)),
        count: list.count,
    }
}

pub(super) fn best_of_entry(entry: BestOfEntry) -> proto::BestOfEntry {
    proto::BestOfEntry {
        rank: entry.rank,
        listing: Some(listing(entry.listing)),
        text_html: entry.text_html,
    }
}

pub(super) fn resolved(resolved: &Resolved) -> proto::ResolveResponse {
    let kind = match resolved.path {
        PagePath::Type(_) => Kind::ListingType,
        PagePath::Neighbourhood(_) => Kind::Neighbourhood,
        PagePath::Listing { .. } => Kind::Listing,
        PagePath::BestOf(_) => Kind::BestOfList,
    };
    proto::ResolveResponse {
        kind: kind.into(),
        id: resolved.id,
        canonical: resolved.path.canonical(),
        has_moved: resolved.has_moved,
    }
}
