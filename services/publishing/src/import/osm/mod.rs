//! Places to eat and drink from OpenStreetMap.

mod element;
mod tags;

use places_proto::v1::{Coordinates, ImportListing, ImportType};

use self::tags::Tags;
use super::{
    Feature,
    values::{hours, link, wheelchair},
};

/// Values of `amenity`, with the slug, plural name and singular name of their types.
const AMENITIES: [(&str, &str, &str, &str); 7] = [
    ("restaurant", "restaurants", "Restaurants", "Restaurant"),
    ("fast_food", "quick-bites", "Quick bites", "Quick bite"),
    ("cafe", "cafes", "Cafés", "Café"),
    ("bar", "bars", "Bars", "Bar"),
    ("pub", "pubs", "Pubs", "Pub"),
    ("ice_cream", "dessert", "Dessert", "Dessert"),
    ("food_court", "food-halls", "Food halls", "Food hall"),
];
/// Returns the types that an import needs.
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

/// Converts a feature to a proposal, for the city with this slug.
pub(super) fn proposal(feature: Feature, city: &str) -> ImportListing {
    let tags = Tags::of(&feature);
    let amenity = tags.value("amenity");
    let type_slug = AMENITIES.iter().find(|(tag, ..)| *tag == amenity);
    let listing = ImportListing {
        // Without an id, the place could not be updated later; the service rejects an empty id.
        source_id: element::element(&feature).map_or_else(String::new, |id| format!("osm:{id}")),
        name: tags.value("name").into_owned(),
        type_slug: type_slug
            .map_or_else(|| amenity.to_string(), |(_, slug, ..)| (*slug).to_owned()),
        sub_type: cuisine(&tags.value("cuisine")),
        address: address(&tags, city),
        phone: first_of(&tags.first(&["phone", "contact:phone"])),
        website: first_of(&tags.first(&["website", "contact:website", "url"])).and_then(link),
        opening_hours: hours(&tags.value("opening_hours")),
        wheelchair: wheelchair(&tags.value("wheelchair")),
        coordinates: feature.centre().map(|(latitude, longitude)| Coordinates {
            latitude,
            longitude,
        }),
        ..ImportListing::default()
    };
    ImportListing {
        position: feature.position,
        ..listing
    }
}

/// Returns the address without the city's name.
fn address(tags: &Tags<'_>, city: &str) -> Option<String> {
    let full = tags.value("addr:full");
    if full.is_empty() {
        let (number, street) = (tags.value("addr:housenumber"), tags.value("addr:street"));
        return (!street.is_empty()).then(|| format!("{number} {street}").trim().to_owned());
    }
    let words = city.replace('-', " ");
    let before = full.len().checked_sub(words.len());
    let rest = before.and_then(|at| full.split_at_checked(at));
    let rest = rest.filter(|(_, end)| end.eq_ignore_ascii_case(&words));
    let street = rest.map_or(&*full, |(street, _)| street.trim_end_matches([' ', ',']));
    Some(street.to_owned())
}

/// Returns the first of several values, which OpenStreetMap separates by semicolons.
fn first_of(values: &str) -> Option<String> {
    let first = values.split(';').next().unwrap_or_default().trim();
    (!first.is_empty()).then(|| first.to_owned())
}

/// Returns the first `cuisine` value in readable form: `bubble_tea;coffee` becomes "Bubble tea".
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
    use serde_json::json;

    use super::*;

    fn of(properties: impl serde::Serialize) -> ImportListing {
        let feature = json!({"id": "node/5", "properties": properties,
            "geometry": {"type": "Point", "coordinates": [-79.4, 43.6]}});
        proposal(Feature::of_value("line 1", feature), "new-york")
    }

    #[test]
    fn the_first_cuisine_in_words_is_the_sub_type() {
        assert_eq!(cuisine("bubble_tea;coffee"), "Bubble tea");
        assert_eq!(cuisine("sushi"), "Sushi");
        assert_eq!(cuisine(""), "");
    }

    #[test]
    fn a_place_has_what_its_tags_say() {
        let place = of(
            json!({"name": "Pai", "amenity": "restaurant", "cuisine": "thai",
            "addr:housenumber": "18", "addr:street": "Duncan Street", "contact:phone": "+1 416 555 0133;+1 416 555 0134",
            "website": "www.pai.example", "wheelchair": "limited", "opening_hours": "Tu-Su 17:00-01:00"}),
        );
        assert_eq!(place.source_id, "osm:node/5");
        assert_eq!(
            (place.type_slug.as_str(), place.sub_type.as_str()),
            ("restaurants", "Thai")
        );
        assert_eq!(place.address.as_deref(), Some("18 Duncan Street"));
        assert_eq!(place.phone.as_deref(), Some("+1 416 555 0133"));
        assert_eq!(place.website.as_deref(), Some("https://www.pai.example"));
        assert_eq!(place.opening_hours.as_deref(), Some("Tu-Su 17:00-01:00"));
        assert_eq!(place.wheelchair.as_deref(), Some("limited"));
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let place = of(json!({"website": "ask at the bar", "opening_hours": "whenever"}));
        assert_eq!((place.website, place.opening_hours), (None, None));
    }

    #[test]
    fn the_citys_name_is_no_part_of_an_address() {
        for (full, street) in [
            ("18 Duncan Street New York", "18 Duncan Street"),
            ("18 Duncan Street, new york", "18 Duncan Street"),
            ("18 New York Avenue", "18 New York Avenue"),
            ("é", "é"),
        ] {
            let place = of(json!({"addr:full": full}));
            assert_eq!(place.address.as_deref(), Some(street));
        }
        assert_eq!(of(json!({"addr:housenumber": "18"})).address, None);
    }
}
