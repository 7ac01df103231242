//! What the catalogue has at a page's path, as the page's head tells it. Of what is age-restricted the
//! services answer no more than a name.

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
use crate::catalogue::Catalogue;

/// What the head of a page says of what stands there. An error is of a service that could not be asked, or
/// says that it is gone.
pub(super) async fn meta(catalogue: &Catalogue, found: &Resolved) -> Result<Meta, Status> {
    let meta = match found.kind.as_str() {
        "listing" | "listing-type" | "neighbourhood" | "best-of-list" => {
            place_meta(catalogue, found).await?
        }
        _ => item_meta(catalogue, found).await?,
    };
    Ok(Meta {
        canonical: Some(found.canonical.clone()),
        ..meta
    })
}

async fn place_meta(catalogue: &Catalogue, found: &Resolved) -> Result<Meta, Status> {
    let site = &catalogue.site;
    let mut services = catalogue.services.places();
    let slug = slug(&found.canonical).to_owned();
    Ok(match found.kind.as_str() {
        "listing" => {
            let request = GetListingRequest {
                id: found.id,
                ..GetListingRequest::default()
            };
            let detail = services.get_listing(catalogue.request(request)).await?;
            listing(catalogue, detail.into_inner())
        }
        "neighbourhood" => {
            let request = GetNeighbourhoodRequest { slug };
            let detail = services
                .get_neighbourhood(catalogue.request(request))
                .await?;
            let area = detail.into_inner().neighbourhood.unwrap_or_default();
            Meta {
                description: Some(format!("Places in {}, {}", area.name, site.city)),
                structured: structured::neighbourhood(site, catalogue.origin.as_str(), &area),
                ..Meta::titled(&area.name)
            }
        }
        "best-of-list" => {
            let request = GetBestOfRequest { slug };
            let detail = services.get_best_of(catalogue.request(request)).await?;
            best_of(catalogue, detail.into_inner())
        }
        _ => {
            let types = services
                .list_types(catalogue.request(ListTypesRequest {}))
                .await?;
            let mut types = types.into_inner().types.into_iter();
            let kind = types.find(|kind| kind.id == found.id);
            let kind = kind.ok_or_else(|| Status::not_found("no such type"))?;
            let steps = [("Places", "/places/"), (&*kind.name, &*found.canonical)];
            Meta {
                description: Some(format!("{} in {}", kind.name, site.city)),
                structured: vec![structured::within(site, catalogue.origin.as_str(), &steps)],
                ..Meta::titled(&kind.name)
            }
        }
    })
}

fn listing(catalogue: &Catalogue, detail: places::ListingDetail) -> Meta {
    let place = detail.listing.unwrap_or_default();
    let kind = place.r#type.clone().unwrap_or_default();
    let area = place.neighbourhood.as_ref().map(|area| area.name.clone());
    let within = area.unwrap_or_else(|| catalogue.site.city.clone());
    Meta {
        description: Some(format!("{} in {within}", kind.name_singular)),
        structured: structured::place(&catalogue.site, catalogue.origin.as_str(), &place, &kind),
        image: place.image_url,
        ..Meta::titled(&place.name)
    }
}

fn best_of(catalogue: &Catalogue, detail: places::BestOfDetail) -> Meta {
    let list = detail.list.unwrap_or_default();
    let origin = catalogue.origin.as_str();
    Meta {
        description: Some(format!("{}, in the order we would go", list.name)),
        structured: structured::best_of(&catalogue.site, origin, &list, detail.entries),
        image: list.image_url,
        is_article: true,
        ..Meta::titled(&list.name)
    }
}

async fn item_meta(catalogue: &Catalogue, found: &Resolved) -> Result<Meta, Status> {
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
    let request = catalogue.request(request);
    let detail = catalogue.services.editorial().get_item(request).await?;
    Ok(item(catalogue, detail.into_inner()))
}

fn item(catalogue: &Catalogue, detail: ItemDetail) -> Meta {
    let item = detail.item.unwrap_or_default();
    let structured = structured::item(&catalogue.site, catalogue.origin.as_str(), &item);
    let is_article = item.kind() == Kind::Article;
    Meta {
        description: (!item.excerpt.is_empty()).then_some(item.excerpt),
        image: item.image_url,
        is_article,
        feed: feed(&catalogue.site, Some(&item.section)),
        structured,
        ..Meta::titled(&item.name)
    }
}
