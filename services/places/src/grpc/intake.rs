//! Protobuf of an import to proposals.

use chassis::{instant, intake::Refusal, markup};
use cityguide_proto::{
    intake::v1::Finish,
    places::v1::{
        ImportBestOfList, ImportListing, ImportNeighbourhood, ImportRequest, ImportType,
        import_request::Item as Message,
    },
};

use crate::{
    domain::{
        BestOfProposal, Coordinates, EntryProposal, Hours, ListingProposal, NeighbourhoodProposal,
        Review, SubType, TypeProposal,
    },
    usecases::import::{Item, ItemKind},
};

/// The content of a message.
pub(super) enum Read {
    Item { position: String, item: Item },
    Refused { kind: ItemKind, refusal: Refusal },
    Finish(Finish),
}

pub(super) fn read(message: ImportRequest) -> Read {
    match message.item {
        Some(Message::Type(kind)) => {
            let ImportType {
                slug,
                name,
                name_singular,
                is_food,
                is_age_restricted,
                position,
            } = kind;
            let item = Item::Type(TypeProposal {
                slug,
                name,
                name_singular,
                is_food,
                is_age_restricted,
            });
            Read::Item { position, item }
        }
        Some(Message::Neighbourhood(area)) => {
            let (position, source_id) = (area.position.clone(), area.source_id.clone());
            read_or_refuse(ItemKind::Neighbourhood, position, source_id, || {
                neighbourhood(area)
            })
        }
        Some(Message::Listing(place)) => {
            let (position, source_id) = (place.position.clone(), place.source_id.clone());
            read_or_refuse(ItemKind::Listing, position, source_id, || listing(place))
        }
        Some(Message::BestOfList(list)) => {
            let (position, source_id) = (list.position.clone(), list.source_id.clone());
            read_or_refuse(ItemKind::BestOf, position, source_id, || best_of(list))
        }
        Some(Message::Finish(finish)) => Read::Finish(finish),
        None => Read::Refused {
            kind: ItemKind::Listing,
            refusal: Refusal {
                position: String::new(),
                source_id: String::new(),
                reason: "the message holds no item".to_owned(),
            },
        },
    }
}

fn read_or_refuse(
    kind: ItemKind,
    position: String,
    source_id: String,
    item: impl FnOnce() -> Result<Item, String>,
) -> Read {
    match item() {
        Ok(item) => Read::Item { position, item },
        Err(reason) => Read::Refused {
            kind,
            refusal: Refusal {
                position,
                source_id,
                reason,
            },
        },
    }
}

fn neighbourhood(area: ImportNeighbourhood) -> Result<Item, String> {
    Ok(Item::Neighbourhood(NeighbourhoodProposal {
        boundary: serde_json::from_str(&area.boundary_geojson)
            .map_err(|error| format!("the boundary is no JSON: {error}"))?,
        source_id: area.source_id,
        name: area.name,
        slug: (!area.slug.is_empty()).then_some(area.slug),
    }))
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
        address: place.address,
        phone: place.phone,
        website: place.website,
        is_closed: place.is_closed,
        image_url: place.image_url,
        coordinates: place.coordinates.map(|at| Coordinates {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        dinesafe_establishment_id: place.dinesafe_establishment_id,
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
