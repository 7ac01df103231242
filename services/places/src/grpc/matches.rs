//! gRPC methods for matching readers' lists.

use chassis::error::Fault;
use places_proto::v1::{self as proto, MatchPlacesRequest, SoughtPlace, place_match::Certainty};
use vocabulary::position::Coordinates;

use crate::{
    domain::MatchedPlace,
    usecases::match_places::{Found, ListedPlace},
};

pub(super) fn listed(request: MatchPlacesRequest) -> Result<Vec<ListedPlace>, Fault> {
    request.places.into_iter().map(one).collect()
}

fn one(sought: SoughtPlace) -> Result<ListedPlace, Fault> {
    let coordinates = sought.coordinates.map(|at| {
        Coordinates::parse(at.latitude, at.longitude)
            .map_err(|why| Fault::invalid_field("places", why))
    });
    Ok(ListedPlace {
        name: sought.name,
        address: sought.address,
        coordinates: coordinates.transpose()?,
        is_approximate: sought.is_approximate,
    })
}

pub(super) fn matched(found: Found) -> proto::PlaceMatch {
    let certainty = match found {
        Found::Sure(_) => Certainty::Sure,
        Found::Perhaps(_) => Certainty::Perhaps,
        Found::None => Certainty::None,
        Found::Elsewhere => Certainty::Elsewhere,
    };
    proto::PlaceMatch {
        certainty: certainty.into(),
        listing_id: found.listing_id(),
    }
}

pub(super) fn place(place: MatchedPlace) -> proto::MatchedPlace {
    let neighbourhood = place.neighbourhood_slug.zip(place.neighbourhood_name);
    proto::MatchedPlace {
        id: place.id,
        slug: place.slug,
        name: place.name,
        type_slug: place.type_slug,
        neighbourhood: neighbourhood.map(|(slug, name)| proto::Neighbourhood {
            slug,
            name,
            ..proto::Neighbourhood::default()
        }),
        address: place.address,
        is_closed: place.is_closed,
    }
}
