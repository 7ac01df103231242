//! Places to eat and drink as OpenStreetMap tags them.

use cityguide_proto::places::v1::{Coordinates, ImportListing, ImportType};

use super::Feature;

/// `amenity`, and the slug, plural name and singular name of its type.
const AMENITIES: [(&str, &str, &str, &str); 7] = [
    ("restaurant", "restaurants", "Restaurants", "Restaurant"),
    ("fast_food", "quick-bites", "Quick bites", "Quick bite"),
    ("cafe", "cafes", "Cafés", "Café"),
    ("bar", "bars", "Bars", "Bar"),
    ("pub", "pubs", "Pubs", "Pub"),
    ("ice_cream", "dessert", "Dessert", "Dessert"),
    ("food_court", "food-halls", "Food halls", "Food hall"),
];

/// The types that an import needs.
pub(super) fn types() -> Vec<ImportType> {
    AMENITIES
        .iter()
        .map(|(_, slug, name, singular)| ImportType {
            slug: (*slug).to_owned(),
            name: (*name).to_owned(),
            name_singular: (*singular).to_owned(),
            is_food: true,
            is_age_restricted: false,
            position: String::new(),
        })
        .collect()
}

/// The proposal of a feature.
pub(super) fn proposal(feature: Feature) -> ImportListing {
    let id = feature.text("@id");
    let amenity = feature.text("amenity");
    let address = feature.text("addr:full");
    ImportListing {
        source_id: if id.is_empty() {
            id
        } else {
            format!("osm:{id}")
        },
        name: feature.text("name"),
        slug: String::new(),
        type_slug: AMENITIES
            .iter()
            .find(|(tag, ..)| *tag == amenity)
            .map_or(amenity, |(_, slug, ..)| (*slug).to_owned()),
        sub_type: cuisine(&feature.text("cuisine")),
        // The city's name is left out.
        address: (!address.is_empty()).then(|| {
            address
                .strip_suffix(" Toronto")
                .unwrap_or(&address)
                .to_owned()
        }),
        coordinates: feature.point().map(|(latitude, longitude)| Coordinates {
            latitude,
            longitude,
        }),
        position: feature.position,
        ..ImportListing::default()
    }
}

/// The first of the `cuisine` tags in readable form: `bubble_tea;coffee` is "Bubble tea".
fn cuisine(tags: &str) -> String {
    let first = tags.split([';', ',']).next().unwrap_or_default();
    let words = first.replace('_', " ");
    let words = words.trim();
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |initial| {
        initial.to_uppercase().collect::<String>() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cuisine_in_words_is_the_sub_type() {
        assert_eq!(cuisine("bubble_tea;coffee"), "Bubble tea");
        assert_eq!(cuisine("sushi"), "Sushi");
        assert_eq!(cuisine(""), "");
    }
}
