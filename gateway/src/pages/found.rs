//! What the catalogue has at a page's path, as the page's head tells it. Of what is age-restricted the
//! services answer no more than a name.

use chassis::{call::Caller, instant};
use cityguide_proto::{
    editorial::v1::{self as editorial, GetItemRequest, ItemDetail, item::Detail},
    places::v1::{
        self as places, GetBestOfRequest, GetListingRequest, GetNeighbourhoodRequest,
        ListTypesRequest, resolve_response::Kind as PlaceKind,
    },
};
use prost_types::Timestamp;
use serde_json::{Value, json};
use tonic::{Code, Status};

use super::meta::{Meta, breadcrumbs};
use crate::state::Edge;

/// What stands at a path.
pub(super) enum Found {
    Page(Meta),
    /// It is elsewhere for good.
    Moved(String),
    Nothing,
}

/// Looks a path up. An error is of a service that could not be asked.
pub(super) async fn at(edge: &Edge, path: &str) -> Result<Found, Status> {
    let (place, item) = tokio::join!(place_at(edge, path), item_at(edge, path));
    match (place?, item?) {
        (Found::Nothing, item) => Ok(item),
        (place, _) => Ok(place),
    }
}

/// `None` where a service says that nothing is there.
fn there<T>(answer: Result<tonic::Response<T>, Status>) -> Result<Option<T>, Status> {
    match answer {
        Ok(found) => Ok(Some(found.into_inner())),
        Err(status) if status.code() == Code::NotFound => Ok(None),
        Err(status) => Err(status),
    }
}

async fn place_at(edge: &Edge, path: &str) -> Result<Found, Status> {
    let site = &edge.site;
    let call = edge.call(Caller::Guest);
    let mut services = edge.services.places();
    let request = places::ResolveRequest {
        path: site.path_in_places(path),
    };
    let Some(resolved) = there(services.resolve(call.request(request)).await)? else {
        return Ok(Found::Nothing);
    };
    let section = match resolved.kind() {
        PlaceKind::Unspecified => return Ok(Found::Nothing),
        PlaceKind::Neighbourhood => "neighbourhoods",
        PlaceKind::BestOfList => "best_of",
        PlaceKind::Listing | PlaceKind::ListingType => "listings",
    };
    if !site.has(section) {
        return Ok(Found::Nothing);
    }
    let canonical = site.path_from_places(&resolved.canonical);
    let slug = canonical.trim_end_matches('/').rsplit('/').next();
    let slug = slug.unwrap_or_default().to_owned();
    let meta = match resolved.kind() {
        PlaceKind::Listing => {
            let request = GetListingRequest {
                id: resolved.id,
                ..GetListingRequest::default()
            };
            let detail = there(services.get_listing(call.request(request)).await)?;
            detail.map(|detail| listing(edge, detail))
        }
        PlaceKind::Neighbourhood => {
            let request = GetNeighbourhoodRequest { slug };
            let detail = there(services.get_neighbourhood(call.request(request)).await)?;
            let area = detail.and_then(|detail| detail.neighbourhood);
            area.map(|area| Meta {
                description: Some(format!("Places in {}, {}", area.name, site.city)),
                ..Meta::titled(&area.name)
            })
        }
        PlaceKind::BestOfList => {
            let request = GetBestOfRequest { slug };
            let detail = there(services.get_best_of(call.request(request)).await)?;
            detail.map(|detail| best_of(edge, detail))
        }
        _ => {
            let types = services
                .list_types(call.request(ListTypesRequest {}))
                .await?;
            let mut types = types.into_inner().types.into_iter();
            let kind = types.find(|kind| kind.id == resolved.id);
            kind.map(|kind| Meta {
                description: Some(format!("{} in {}", kind.name, site.city)),
                ..Meta::titled(&kind.name)
            })
        }
    };
    Ok(page(meta, canonical))
}

fn page(meta: Option<Meta>, canonical: String) -> Found {
    meta.map_or(Found::Nothing, |meta| {
        Found::Page(Meta {
            canonical: Some(canonical),
            ..meta
        })
    })
}

fn listing(edge: &Edge, detail: places::ListingDetail) -> Meta {
    let origin = edge.origin.as_str();
    let place = detail.listing.unwrap_or_default();
    let kind = place.r#type.clone().unwrap_or_default();
    let area = place.neighbourhood.as_ref().map(|area| area.name.clone());
    let url = format!("/{}/{}/", kind.slug, place.slug);
    let schema = if kind.is_food {
        "Restaurant"
    } else {
        "LocalBusiness"
    };
    let mut object = json!({"@type": schema, "name": place.name, "url": format!("{origin}{url}")});
    if let Some(image) = &place.image_url {
        object["image"] = json!(format!("{origin}{image}"));
    }
    // Of a closed place nothing invites anyone to go there.
    if !place.is_closed {
        if let Some(address) = &place.address {
            object["address"] = json!({
                "@type": "PostalAddress",
                "streetAddress": address,
                "addressLocality": edge.site.city,
            });
        }
        if let Some(phone) = &place.phone {
            object["telephone"] = json!(phone);
        }
        if let Some(website) = &place.website {
            object["sameAs"] = json!(website);
        }
        if let Some(at) = place.coordinates {
            object["geo"] = json!({"@type": "GeoCoordinates",
                "latitude": at.latitude, "longitude": at.longitude});
        }
        if let Some(rating) = place.rating {
            object["aggregateRating"] = json!({"@type": "AggregateRating",
                "ratingValue": rating, "ratingCount": place.voters});
        }
        if kind.is_food
            && let Some(cuisine) = &place.sub_type
        {
            object["servesCuisine"] = json!(cuisine.name);
        }
    }
    let type_url = format!("/{}/", kind.slug);
    let steps = [
        (edge.site.name.as_str(), "/"),
        (kind.name.as_str(), type_url.as_str()),
        (place.name.as_str(), url.as_str()),
    ];
    let within = area.unwrap_or_else(|| edge.site.city.clone());
    Meta {
        description: Some(format!("{} in {within}", kind.name_singular)),
        image: place.image_url.clone(),
        structured: vec![object, breadcrumbs(origin, &steps)],
        ..Meta::titled(&place.name)
    }
}

fn best_of(edge: &Edge, detail: places::BestOfDetail) -> Meta {
    let origin = edge.origin.as_str();
    let list = detail.list.unwrap_or_default();
    let items = detail.entries.into_iter().map(|entry| {
        let place = entry.listing.unwrap_or_default();
        let kind = place.r#type.unwrap_or_default();
        json!({"@type": "ListItem", "position": entry.rank, "name": place.name,
            "url": format!("{origin}/{}/{}/", kind.slug, place.slug)})
    });
    let object = json!({"@type": "ItemList", "name": list.name,
        "itemListElement": items.collect::<Vec<_>>()});
    Meta {
        description: Some(format!("{}, in the order we would go", list.name)),
        image: list.image_url,
        is_article: true,
        structured: vec![object],
        ..Meta::titled(&list.name)
    }
}

async fn item_at(edge: &Edge, path: &str) -> Result<Found, Status> {
    let call = edge.call(Caller::Guest);
    let mut services = edge.services.editorial();
    let request = editorial::ResolveRequest {
        path: path.to_owned(),
    };
    let Some(resolved) = there(services.resolve(call.request(request)).await)? else {
        return Ok(Found::Nothing);
    };
    let section = match resolved.kind() {
        editorial::Kind::Unspecified => return Ok(Found::Nothing),
        editorial::Kind::Article => Some("articles"),
        editorial::Kind::Event => Some("events"),
        editorial::Kind::Contest => Some("contests"),
        editorial::Kind::Video => Some("videos"),
        editorial::Kind::Page => None,
    };
    if section.is_some_and(|section| !edge.site.has(section)) {
        return Ok(Found::Nothing);
    }
    if resolved.has_moved {
        return Ok(Found::Moved(resolved.canonical));
    }
    let request = GetItemRequest {
        kind: resolved.kind,
        id: resolved.id,
        of_age: false,
    };
    let detail = there(services.get_item(call.request(request)).await)?;
    Ok(page(
        detail.map(|detail| item(edge, detail)),
        resolved.canonical,
    ))
}

fn item(edge: &Edge, detail: ItemDetail) -> Meta {
    let origin = edge.origin.as_str();
    let item = detail.item.unwrap_or_default();
    let mut object = json!({
        "name": item.name,
        "url": format!("{origin}{}", item.path),
    });
    if let Some(image) = &item.image_url {
        object["image"] = json!([format!("{origin}{image}")]);
    }
    if !item.excerpt.is_empty() {
        object["description"] = json!(item.excerpt);
    }
    let published = written(item.date_published.as_ref());
    let organization = json!({"@type": "Organization", "name": edge.site.name});
    let is_article = item.kind() == editorial::Kind::Article;
    match &item.detail {
        _ if is_article => {
            object["@type"] = json!("NewsArticle");
            object["headline"] = json!(item.name);
            object["datePublished"] = json!(published);
            object["publisher"] = organization;
            let authors = item.authors.iter();
            let authors = authors.map(|author| json!({"@type": "Person", "name": author.name}));
            object["author"] = Value::Array(authors.collect());
            object["isAccessibleForFree"] = json!(true);
        }
        Some(Detail::Event(event)) => {
            object["@type"] = json!("Event");
            let occurrence = event.occurrence.unwrap_or_default();
            object["startDate"] = json!(written(occurrence.starts_at.as_ref()));
            object["endDate"] = json!(written(occurrence.ends_at.as_ref()));
            object["location"] = json!({"@type": "Place", "name": event.venue,
                "address": event.address});
            object["isAccessibleForFree"] = json!(event.is_free);
            object["organizer"] = organization;
        }
        Some(Detail::Video(video)) => {
            object["@type"] = json!("VideoObject");
            object["uploadDate"] = json!(published);
            object["duration"] = json!(format!("PT{}S", video.duration_seconds));
            if !video.url.is_empty() {
                object["contentUrl"] = json!(video.url);
            }
            object["thumbnailUrl"] = object["image"].clone();
        }
        _ => object["@type"] = json!("WebPage"),
    }
    let mut structured = vec![object];
    if is_article {
        let section = format!("/{}/", item.section);
        let name = edge.site.section_name(&item.section);
        let steps = [
            (edge.site.name.as_str(), "/"),
            (name.unwrap_or(&item.section), section.as_str()),
            (item.name.as_str(), item.path.as_str()),
        ];
        structured.push(breadcrumbs(origin, &steps));
    }
    Meta {
        description: (!item.excerpt.is_empty()).then_some(item.excerpt),
        image: item.image_url,
        is_article,
        structured,
        ..Meta::titled(&item.name)
    }
}

fn written(at: Option<&Timestamp>) -> Option<String> {
    at.and_then(instant::from_proto).map(instant::to_rfc3339)
}
