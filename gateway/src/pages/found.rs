//! What the catalogue has at a page's path, as the page's head tells it. Of what is age-restricted the
//! services answer no more than a name.

use chassis::call::Caller;
use cityguide_proto::{
    editorial::v1::{GetItemRequest, ItemDetail, Kind},
    places::v1::{
        self as places, GetBestOfRequest, GetListingRequest, GetNeighbourhoodRequest,
        ListTypesRequest,
    },
};
use tonic::Status;

use super::{
    meta::Meta,
    own::feed,
    plan::{Resolved, slug},
    structured,
};
use crate::state::Edge;

/// What the head of a page says of what stands there. An error is of a service that could not be asked, or
/// says that it is gone.
pub(super) async fn meta(edge: &Edge, found: &Resolved) -> Result<Meta, Status> {
    let meta = match found.kind.as_str() {
        "listing" | "listing-type" | "neighbourhood" | "best-of-list" => {
            place_meta(edge, found).await?
        }
        _ => item_meta(edge, found).await?,
    };
    Ok(Meta {
        canonical: Some(found.canonical.clone()),
        ..meta
    })
}

async fn place_meta(edge: &Edge, found: &Resolved) -> Result<Meta, Status> {
    let site = &edge.site;
    let call = edge.call(Caller::Guest);
    let mut services = edge.services.places();
    let slug = slug(&found.canonical).to_owned();
    Ok(match found.kind.as_str() {
        "listing" => {
            let request = GetListingRequest {
                id: found.id,
                ..GetListingRequest::default()
            };
            let detail = services.get_listing(call.request(request)).await?;
            listing(edge, detail.into_inner())
        }
        "neighbourhood" => {
            let request = GetNeighbourhoodRequest { slug };
            let detail = services.get_neighbourhood(call.request(request)).await?;
            let area = detail.into_inner().neighbourhood.unwrap_or_default();
            Meta {
                description: Some(format!("Places in {}, {}", area.name, site.city)),
                structured: structured::neighbourhood(site, edge.origin.as_str(), &area),
                ..Meta::titled(&area.name)
            }
        }
        "best-of-list" => {
            let request = GetBestOfRequest { slug };
            let detail = services.get_best_of(call.request(request)).await?;
            best_of(edge, detail.into_inner())
        }
        _ => {
            let types = services
                .list_types(call.request(ListTypesRequest {}))
                .await?;
            let mut types = types.into_inner().types.into_iter();
            let kind = types.find(|kind| kind.id == found.id);
            let kind = kind.ok_or_else(|| Status::not_found("no such type"))?;
            let steps = [("Places", "/places/"), (&*kind.name, &*found.canonical)];
            Meta {
                description: Some(format!("{} in {}", kind.name, site.city)),
                structured: vec![structured::within(site, edge.origin.as_str(), &steps)],
                ..Meta::titled(&kind.name)
            }
        }
    })
}

fn listing(edge: &Edge, detail: places::ListingDetail) -> Meta {
    let place = detail.listing.unwrap_or_default();
    let kind = place.r#type.clone().unwrap_or_default();
    let area = place.neighbourhood.as_ref().map(|area| area.name.clone());
    let within = area.unwrap_or_else(|| edge.site.city.clone());
    Meta {
        description: Some(format!("{} in {within}", kind.name_singular)),
        structured: structured::place(&edge.site, edge.origin.as_str(), &place, &kind),
        image: place.image_url,
        ..Meta::titled(&place.name)
    }
}

fn best_of(edge: &Edge, detail: places::BestOfDetail) -> Meta {
    let list = detail.list.unwrap_or_default();
    let origin = edge.origin.as_str();
    Meta {
        description: Some(format!("{}, in the order we would go", list.name)),
        structured: structured::best_of(&edge.site, origin, &list, detail.entries),
        image: list.image_url,
        is_article: true,
        ..Meta::titled(&list.name)
    }
}

async fn item_meta(edge: &Edge, found: &Resolved) -> Result<Meta, Status> {
    let kind = match found.kind.as_str() {
        "article" => Kind::Article,
        "event" => Kind::Event,
        "contest" => Kind::Contest,
        "video" => Kind::Video,
        _ => Kind::Page,
    };
    let request = GetItemRequest {
        kind: kind.into(),
        id: found.id,
        of_age: false,
    };
    let request = edge.call(Caller::Guest).request(request);
    let detail = edge.services.editorial().get_item(request).await?;
    Ok(item(edge, detail.into_inner()))
}

fn item(edge: &Edge, detail: ItemDetail) -> Meta {
    let item = detail.item.unwrap_or_default();
    let structured = structured::item(&edge.site, edge.origin.as_str(), &item);
    let is_article = item.kind() == Kind::Article;
    Meta {
        description: (!item.excerpt.is_empty()).then_some(item.excerpt),
        image: item.image_url,
        is_article,
        feed: feed(&edge.site, Some(&item.section)),
        structured,
        ..Meta::titled(&item.name)
    }
}
