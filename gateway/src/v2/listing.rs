//! Fields of places, shared by all responses.

use places_proto::v1 as proto;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time;
use site::Site;

/// A position in degrees (WGS 84).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Coordinates {
    pub(crate) lat: f64,
    pub(crate) lng: f64,
}

/// The type of a place.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ListingTypeRef {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Name of a single place of this type: "Restaurant".
    pub(crate) name_singular: String,
    pub(crate) share_url: String,
    /// Whether places of this type are inspected as food establishments.
    pub(crate) is_food: bool,
    /// Whether reviews and pictures of places of this type are only available to readers of legal age (`gated/`).
    pub(crate) is_age_restricted: bool,
}

/// A name with the path of its page.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct NamedLink {
    pub(crate) name: String,
    pub(crate) share_url: String,
}

/// A best-of list that ranks a place.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct BestOfRanking {
    pub(crate) name: String,
    pub(crate) share_url: String,
    /// Rank of the place, starting with 1 for the best.
    pub(crate) rank: i32,
}

/// Wheelchair access, with the values of OpenStreetMap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wheelchair {
    Yes,
    Limited,
    No,
}

impl Wheelchair {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "yes" => Some(Self::Yes),
            "limited" => Some(Self::Limited),
            "no" => Some(Self::No),
            _ => None,
        }
    }
}

/// A place.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Listing {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Path of the object's page.
    pub(crate) share_url: String,
    /// Address of the picture. If it ends with `/whole` (at most 1600 pixels wide), the endings `/300x200`, `/600x400`
    /// and `/720x480` return cropped versions.
    pub(crate) image_url: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) is_closed: bool,
    pub(crate) r#type: ListingTypeRef,
    pub(crate) sub_type: Option<NamedLink>,
    pub(crate) default_neighborhood: Option<NamedLink>,
    /// The city's id of the inspected establishment.
    pub(crate) dinesafe_establishment_id: Option<String>,
    /// Opening hours in OpenStreetMap's `opening_hours` format, in local time.
    pub(crate) opening_hours: Option<String>,
    /// Wheelchair access; null if unknown.
    pub(crate) wheelchair: Option<Wheelchair>,
    /// A sentence or two that say why to go, from the publisher, the latest best-of list or the review; null if there is
    /// none, or if the type is age-restricted and the reader's age is not confirmed.
    pub(crate) line: Option<String>,
    pub(crate) coordinates: Option<Coordinates>,
    /// Best-of lists that rank the place, latest first.
    pub(crate) appears_in_best_of_lists: Vec<BestOfRanking>,
    /// Mean of readers' votes, 1 to 5; null without votes.
    pub(crate) rating: Option<f64>,
    pub(crate) voters: i64,
    #[schema(format = DateTime)]
    pub(crate) date_published: Option<String>,
}

impl Listing {
    /// Returns the path of a place's page.
    pub(super) fn path(listing: &proto::Listing) -> String {
        let kind = listing.r#type.as_ref().map_or("", |kind| &kind.slug);
        format!("/{kind}/{}/", listing.slug)
    }

    /// Returns the link to a neighbourhood.
    pub(super) fn area(area: proto::Neighbourhood) -> NamedLink {
        NamedLink {
            share_url: format!("/neighbourhoods/{}/", area.slug),
            name: area.name,
        }
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
            default_neighborhood: listing.neighbourhood.map(Self::area),
            dinesafe_establishment_id: listing.dinesafe_establishment_id,
            opening_hours: listing.opening_hours,
            wheelchair: listing.wheelchair.as_deref().and_then(Wheelchair::parse),
            line: listing.line,
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
