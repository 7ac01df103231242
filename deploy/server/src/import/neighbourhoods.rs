//! The city's neighbourhoods as Toronto's open data publishes them.

use cityguide_proto::places::v1::ImportNeighbourhood;

use super::Feature;

/// The proposal of a feature.
pub(super) fn proposal(feature: Feature) -> ImportNeighbourhood {
    let id = feature.text("AREA_ID");
    ImportNeighbourhood {
        // Without an id it could not be recognised again; the service refuses an empty one.
        source_id: if id.is_empty() {
            id
        } else {
            format!("open-toronto:{id}")
        },
        name: feature.text("AREA_NAME"),
        slug: String::new(),
        boundary_geojson: feature.geometry.to_string(),
        position: feature.position,
    }
}
