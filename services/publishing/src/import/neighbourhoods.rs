//! The city's neighbourhoods, with properties named by a mapping.

use places_proto::v1::ImportNeighbourhood;

use super::{Feature, mapping::AreasMapping};

/// Converts a feature to a proposal.
pub(super) fn proposal(feature: Feature, mapping: &AreasMapping) -> ImportNeighbourhood {
    let id = feature.text(&mapping.id);
    ImportNeighbourhood {
        // Without an id, the neighbourhood could not be updated later; the service rejects an empty id.
        source_id: if id.is_empty() {
            id
        } else {
            format!("{}:{id}", mapping.source)
        },
        name: feature.text(&mapping.name),
        slug: String::new(),
        boundary_geojson: feature.geometry.to_string(),
        intro_markdown: String::new(),
        position: feature.position,
    }
}
