//! The city's neighbourhoods, whose features name themselves by the properties that a mapping says.

use places_proto::v1::ImportNeighbourhood;

use super::{Feature, mapping::AreasMapping};

/// The proposal of a feature.
pub(super) fn proposal(feature: Feature, mapping: &AreasMapping) -> ImportNeighbourhood {
    let id = feature.text(&mapping.id);
    ImportNeighbourhood {
        // Without an id it could not be recognised again; the service refuses an empty one.
        source_id: if id.is_empty() {
            id
        } else {
            format!("{}:{id}", mapping.source)
        },
        name: feature.text(&mapping.name),
        slug: String::new(),
        boundary_geojson: feature.geometry.to_string(),
        position: feature.position,
    }
}
