//! A place as all answers show it.

use cityguide_proto::places::v1 as proto;
use serde::Serialize;
use utoipa::ToSchema;

use super::time;
use crate::site::Site;

/// A position in degrees (WGS 84).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Coordinates {
    lat: f64,
    lng: f64,
}

/// The type of a place.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListingTypeRef {
    id: i64,
    name: String,
    /// One of them: "Restaurant".
    name_singular: String,
    share_url: String,
    /// Whether its places are inspected as food establishments.
    is_food: bool,
    /// Whether its places show review and picture only to readers of legal age (`gated/`).
    is_age_restricted: bool,
}

/// Something with a name and a page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NamedLink {
    name: String,
    share_url: String,
}

/// A best-of list on which a place stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BestOfRanking {
    name: String,
    share_url: String,
    /// From 1, the best first.
    rank: i32,
}

/// A place.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Listing {
    id: i64,
    name: String,
    /// Its page.
    share_url: String,
    image_url: Option<String>,
    address: Option<String>,
    phone: Option<String>,
    website: Option<String>,
    is_closed: bool,
    r#type: ListingTypeRef,
    sub_type: Option<NamedLink>,
    default_neighborhood: Option<NamedLink>,
    /// The city's id of the inspected establishment.
    dinesafe_establishment_id: Option<String>,
    /// OpenStreetMap's `opening_hours`, by the city's clock.
    opening_hours: Option<String>,
    coordinates: Option<Coordinates>,
    /// The latest first.
    appears_in_best_of_lists: Vec<BestOfRanking>,
    /// The mean of readers' votes, 1 to 5; null where nobody has voted.
    rating: Option<f64>,
    voters: i64,
    #[schema(format = DateTime)]
    date_published: Option<String>,
}

impl Listing {
    /// The page of a place.
    pub(super) fn path(listing: &proto::Listing) -> String {
        let kind = listing.r#type.as_ref().map_or("", |kind| &kind.slug);
        format!("/{kind}/{}/", listing.slug)
    }

    pub(super) fn new(site: &Site, listing: proto::Listing) -> Self {
        let share_url = Self::path(&listing);
        let kind = listing.r#type.unwrap_or_default();
        let type_url = format!("/{}/", kind.slug);
        Self {
            id: listing.id,
            share_url,
            name: listing.name,
            image_url: listing.image_url,
            address: listing.address,
            phone: listing.phone,
            website: listing.website,
            is_closed: listing.is_closed,
            sub_type: listing.sub_type.map(|sub_type| NamedLink {
                share_url: format!("{type_url}?sub_type={}", sub_type.slug),
                name: sub_type.name,
            }),
            r#type: ListingTypeRef {
                id: kind.id,
                name: kind.name,
                name_singular: kind.name_singular,
                share_url: type_url,
                is_food: kind.is_food,
                is_age_restricted: kind.is_age_restricted,
            },
            default_neighborhood: listing.neighbourhood.map(|area| NamedLink {
                share_url: format!("/neighbourhoods/{}/", area.slug),
                name: area.name,
            }),
            dinesafe_establishment_id: listing.dinesafe_establishment_id,
            opening_hours: listing.opening_hours,
            coordinates: listing.coordinates.map(|at| Coordinates {
                lat: at.latitude,
                lng: at.longitude,
            }),
            appears_in_best_of_lists: listing
                .rankings
                .into_iter()
                .map(|ranking| BestOfRanking {
                    share_url: site.best_of_url(&ranking.slug),
                    name: ranking.name,
                    rank: ranking.rank,
                })
                .collect(),
            rating: listing.rating,
            voters: listing.voters,
            date_published: time::text(listing.date_published.as_ref()),
        }
    }
}
