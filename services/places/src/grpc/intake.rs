//! Converts protobuf messages of an import to proposals.

use chassis::{
    instant,
    intake::{Message, Origin},
    markup,
};
use places_proto::v1::{
    ImportBasemap, ImportBestOfList, ImportListing, ImportNeighbourhood, ImportRequest, ImportType,
    import_request::Item as Sent,
};
use vocabulary::position::Coordinates;

use crate::{
    domain::{
        Basemap, BestOfProposal, EntryProposal, Facts, Hours, ListingProposal,
        NeighbourhoodProposal, Review, SubType, TypeProposal, with_facts,
    },
    usecases::import::{Item, ItemKind},
};

pub(super) fn read(message: ImportRequest) -> Message<ItemKind, Item> {
    let (kind, origin, item) = match message.item {
        Some(Sent::Finish(finish)) => return Message::Finish(finish),
        Some(Sent::Type(of)) => (
            ItemKind::Type,
            Origin::new(&of.position, &format!("type:{}", of.slug)),
            Ok(listing_type(of)),
        ),
        Some(Sent::Neighbourhood(area)) => (
            ItemKind::Neighbourhood,
            Origin::new(&area.position, &area.source_id),
            neighbourhood(area),
        ),
        Some(Sent::Listing(place)) => (
            ItemKind::Listing,
            Origin::new(&place.position, &place.source_id),
            listing(place),
        ),
        Some(Sent::Basemap(map)) => (
            ItemKind::Basemap,
            Origin::new(&map.position, "basemap"),
            Ok(basemap(map)),
        ),
        Some(Sent::BestOfList(list)) => (
            ItemKind::BestOf,
            Origin::new(&list.position, &list.source_id),
            best_of(list),
        ),
        None => (
            ItemKind::Listing,
            Origin::new("", ""),
            Err("the message holds no item".to_owned()),
        ),
    };
    Message::Item { kind, origin, item }
}

fn listing_type(of: ImportType) -> Item {
    Item::Type(TypeProposal {
        slug: of.slug,
        name: of.name,
        name_singular: of.name_singular,
        is_food: of.is_food,
        is_age_restricted: of.is_age_restricted,
    })
}

fn neighbourhood(area: ImportNeighbourhood) -> Result<Item, String> {
    Ok(Item::Neighbourhood(NeighbourhoodProposal {
        boundary: serde_json::from_str(&area.boundary_geojson)
            .map_err(|error| format!("the boundary is no JSON: {error}"))?,
        source_id: area.source_id,
        name: area.name,
        intro_html: markup::render(&area.intro_markdown),
        slug: (!area.slug.is_empty()).then_some(area.slug),
    }))
}

fn basemap(map: ImportBasemap) -> Item {
    let map = map.basemap.unwrap_or_default();
    Item::Basemap(Basemap {
        geojson: map.geojson,
        credit: map.credit,
    })
}

macro_rules! of_message {
    ($message:ident; $($fact:ident: $type:ty, $name:literal, $check:ident;)+) => {
        Facts {
            $($fact: $message.$fact),+
        }
    };
}

fn listing(place: ImportListing) -> Result<Item, String> {
    let date_published = match &place.date_published {
        None => None,
        Some(date) => {
            Some(instant::from_proto(date).ok_or("the date of publication does not exist")?)
        }
    };
    let review = match place.review {
        None => None,
        Some(review) => Some(Review::parse(
            &review.body_markdown,
            &review.author,
            &review.date,
        )?),
    };
    Ok(Item::Listing(Box::new(ListingProposal {
        source_id: place.source_id,
        name: place.name,
        slug: (!place.slug.is_empty()).then_some(place.slug),
        type_slug: place.type_slug,
        sub_type: SubType::named(&place.sub_type)?,
        facts: with_facts!(of_message! { place; }),
        coordinates: place.coordinates.map(|at| Coordinates {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        opening_hours: Hours::parse(place.opening_hours.as_deref().unwrap_or_default())?,
        date_published,
        review,
    })))
}

fn best_of(list: ImportBestOfList) -> Result<Item, String> {
    let entries = list.entries.into_iter().map(|entry| EntryProposal {
        position: entry.position,
        source_id: entry.listing_source_id,
        text_html: markup::render(&entry.text_markdown),
    });
    Ok(Item::BestOf(Box::new(BestOfProposal {
        source_id: list.source_id,
        slug: list.slug,
        name: list.name,
        intro_html: markup::render(&list.intro_markdown),
        image_url: list.image_url,
        date_published: list
            .date_published
            .as_ref()
            .and_then(instant::from_proto)
            .ok_or("the date of publication does not exist")?,
        is_withdrawn: list.is_withdrawn,
        entries: entries.collect(),
    })))
}
