//! Domain to protobuf.

use chassis::instant;
use cityguide_proto::places::v1::{self as proto, resolve_response::Kind};

use crate::{
    domain::{Listing, ListingDetail, ListingType, Neighbourhood, PagePath, Report},
    usecases::resolve::Resolved,
};

pub(super) fn listing(listing: Listing) -> proto::Listing {
    proto::Listing {
        id: listing.id,
        slug: listing.slug,
        name: listing.name,
        r#type: Some(listing_type(listing.kind)),
        sub_type: listing.sub_type.map(|sub_type| proto::SubType {
            slug: sub_type.slug,
            name: sub_type.name,
        }),
        neighbourhood: listing.neighbourhood.map(neighbourhood),
        address: listing.address,
        phone: listing.phone,
        website: listing.website,
        is_closed: listing.is_closed,
        image_url: listing.image_url,
        coordinates: listing.coordinates.map(|at| proto::Coordinates {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        dinesafe_establishment_id: listing.dinesafe_establishment_id,
        opening_hours: listing.opening_hours.map(|hours| hours.as_str().to_owned()),
        date_published: Some(instant::to_proto(listing.date_published)),
    }
}

pub(super) fn detail(detail: ListingDetail, is_open_now: Option<bool>) -> proto::ListingDetail {
    proto::ListingDetail {
        is_open_now,
        listing: Some(listing(detail.listing)),
        review: detail.review.map(|review| proto::Review {
            body_html: review.html,
            author: review.author,
            date: review.date.to_string(),
        }),
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

pub(super) fn resolved(resolved: &Resolved) -> proto::ResolveResponse {
    let kind = match resolved.path {
        PagePath::Type(_) => Kind::ListingType,
        PagePath::Neighbourhood(_) => Kind::Neighbourhood,
        PagePath::Listing { .. } => Kind::Listing,
    };
    proto::ResolveResponse {
        kind: kind.into(),
        id: resolved.id,
        canonical: resolved.path.canonical(),
    }
}

pub(super) fn report(report: Report) -> proto::ImportResponse {
    proto::ImportResponse {
        types: Some(report.types.into()),
        neighbourhoods: Some(report.neighbourhoods.into()),
        listings: Some(report.listings.into()),
        refusals: report.refusals.into_iter().map(Into::into).collect(),
        applied: report.applied,
        changes: report.changes.into(),
    }
}
