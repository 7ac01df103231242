//! GET `photos/`: published photos.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};
use photos_proto::v1::{self as proto, ListPhotosRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::photo::{Listings, PATH, Photo};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

/// Query parameters of the list.
pub(in crate::v2) const KNOWN: &[&str] = &["after", "limit", "listing", "offset", "ordering"];

/// Published photos, newest first: of a place, with their positions in its list, or of the whole city.
#[utoipa::path(get, path = "/api/v2/photos/", operation_id = "list_photos", tag = "photos",
    params(
        ("listing" = Option<i64>, Query, description = "A listing's id; without it, photos of all places, whose count is not known."),
        ("ordering" = Option<String>, Query, pattern = "^(-date_published)?$", description = "-date_published."),
        PageParams,
    ),
    responses((status = 200, body = Page<Photo>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Areas, Tag::Listings]);
    let key = match params.id("listing") {
        Ok(Some(listing)) => key.tagged(Tag::PhotosOf(listing)),
        _ => key.tagged(Tag::Photos),
    };
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            page(catalogue, params)
        })
        .await
}

async fn page(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let page = params.page()?;
    let listing = params.id("listing")?;
    let listed = listed(&catalogue, listing, page.clone()).await?;
    Content::json(&Page::new(listed.0, listed.1, &page, &params, PATH))
}

/// The first published photos of a place: the first page of its list.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FirstPhotos {
    pub(crate) results: Vec<Photo>,
    /// Number of published photos of the place.
    pub(crate) count: i64,
    /// Address of the next page, to be used unchanged; null on the last page.
    #[schema(required = true)]
    pub(crate) next: Option<String>,
}

/// Fetches the first published photos of a place, for its page.
pub(crate) async fn of_listing(
    catalogue: &Catalogue,
    listing_id: i64,
    limit: u32,
) -> Result<FirstPhotos, ApiError> {
    let page = PageRequest {
        limit,
        ..PageRequest::default()
    };
    let (photos, info) = listed(catalogue, Some(listing_id), page.clone()).await?;
    let params = Params::parse(&format!("listing={listing_id}&limit={limit}"));
    let Page {
        results,
        count,
        next,
        ..
    } = Page::new(photos, info, &page, &params, PATH);
    Ok(FirstPhotos {
        results,
        count,
        next,
    })
}

async fn listed(
    catalogue: &Catalogue,
    listing_id: Option<i64>,
    page: PageRequest,
) -> Result<(Vec<Photo>, Option<PageInfo>), ApiError> {
    let services = &catalogue.services;
    let offset = i64::from(page.offset);
    let request = catalogue.request(ListPhotosRequest {
        page: Some(page),
        listing_id,
    });
    let answer = services.photos().list_photos(request).await?.into_inner();
    let proto::ListPhotosResponse { photos, page: info } = answer;
    let listings = Listings::of(services, |ids| catalogue.request(ids), &photos).await?;
    let total = info.as_ref().map_or(-1, |info| info.count);
    let photos = (1..).zip(photos).filter_map(|(position, photo)| {
        let listing = listings.public(photo.listing_id)?;
        let photo = Photo::new(&catalogue.pictures, photo, listing);
        Some(match listing_id {
            Some(_) => photo.at(offset + position, total),
            None => photo,
        })
    });
    let photos: Vec<_> = photos.collect();
    Ok((photos, info))
}
