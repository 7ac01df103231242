//! GET `photos/{id}/`: a photo, and the shape of photos in all responses.

use std::{collections::HashMap, sync::Arc};

use axum::{extract::State, response::Response};
use base64::{Engine, prelude::BASE64_STANDARD};
use photos_proto::v1::{self as proto, GetPhotoRequest};
use pictures::{AVATAR, DETAIL, THUMBNAIL, WHOLE};
use places_proto::v1::{self as places, GetListingsRequest};
use serde::{Deserialize, Serialize};
use tonic::Request;
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        id::Id,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    media::signed::PictureAddresses,
    services::Clients,
    v2::{call::PublicCall, listing::Listing, time},
};

/// Path of the photo resources.
pub(super) const PATH: &str = "/api/v2/photos/";

/// The place in a photo.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct PhotoListing {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Path of the place's page; null if the place is no longer published.
    #[schema(required = true)]
    pub(crate) share_url: Option<String>,
}

/// The photo's author.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Author {
    pub(crate) full_name: String,
    /// Null if the author has no picture.
    #[schema(required = true)]
    pub(crate) avatar_url: Option<String>,
}

/// A photo of a place.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Photo {
    pub(crate) id: i64,
    pub(crate) listing: PhotoListing,
    /// 610x610, cropped. The address is signed: another size or signature returns 403. Null until the sizes have been
    /// created.
    #[schema(required = true)]
    pub(crate) prism_image_url: Option<String>,
    /// 300x300, cropped.
    #[schema(required = true)]
    pub(crate) thumbnail_url: Option<String>,
    /// Uncropped, at most 1600x1600.
    #[schema(required = true)]
    pub(crate) whole_url: Option<String>,
    /// Size of the uploaded picture in pixels.
    #[schema(required = true)]
    pub(crate) width: Option<u32>,
    #[schema(required = true)]
    pub(crate) height: Option<u32>,
    /// Base64-encoded thumbhash, a placeholder until the picture is loaded.
    #[schema(required = true)]
    pub(crate) thumbhash: Option<String>,
    pub(crate) description: String,
    pub(crate) credit: String,
    /// `all-rights-reserved`, `CC-BY-4.0`, `CC-BY-SA-4.0` or `CC0-1.0`.
    pub(crate) licence: String,
    /// Path of the photo's page; null if its place is no longer published.
    #[schema(required = true)]
    pub(crate) share_path: Option<String>,
    #[schema(format = DateTime, required = true)]
    pub(crate) creation_date: Option<String>,
    /// The reader who uploaded the photo.
    #[schema(required = true)]
    pub(crate) profile: Option<Author>,
    /// The Instagram user who made the photo, if it was imported.
    #[schema(required = true)]
    pub(crate) instagram_user: Option<Author>,
    /// Position among the published photos of its place, from 1; null if unknown.
    #[schema(required = true)]
    pub(crate) index: Option<i64>,
    /// Number of published photos of its place; null if unknown.
    #[schema(required = true)]
    pub(crate) total: Option<i64>,
    /// When the content was computed; only in the response for a single photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl Photo {
    pub(super) fn new(
        addresses: &PictureAddresses,
        photo: proto::Photo,
        listing: PhotoListing,
    ) -> Self {
        let picture = photo.picture.as_ref();
        let name = picture.map(|picture| picture.name.as_str());
        let is_on_instagram = photo.author.as_ref().is_some_and(|one| one.is_on_instagram);
        let author = photo.author.map(|author| Author {
            full_name: author.full_name,
            avatar_url: author.avatar.map(|name| addresses.of(&name, &AVATAR)),
        });
        let (instagram_user, profile) = if is_on_instagram {
            (author, None)
        } else {
            (None, author)
        };
        Self {
            id: photo.id,
            prism_image_url: name.map(|name| addresses.of(name, &DETAIL)),
            thumbnail_url: name.map(|name| addresses.of(name, &THUMBNAIL)),
            whole_url: name.map(|name| addresses.of(name, &WHOLE)),
            width: picture.map(|picture| picture.width),
            height: picture.map(|picture| picture.height),
            thumbhash: picture.map(|picture| BASE64_STANDARD.encode(&picture.thumbhash)),
            description: photo.description,
            credit: photo.credit,
            licence: photo.licence,
            share_path: share_path(&listing, photo.id),
            creation_date: time::text(photo.created.as_ref()),
            profile,
            instagram_user,
            listing,
            index: None,
            total: None,
            server_time: None,
        }
    }

    /// Sets the position in the list of its place.
    pub(super) fn at(mut self, index: i64, total: i64) -> Self {
        self.index = Some(index);
        self.total = Some(total);
        self
    }
}

/// Returns the path of a photo's page: `/restaurants/pai-toronto/photos/7`.
fn share_path(listing: &PhotoListing, id: i64) -> Option<String> {
    let page = listing.share_url.as_ref()?;
    Some(format!("{page}photos/{id}"))
}

/// Places of photos, by id.
pub(super) struct Listings(HashMap<i64, places::Listing>);

impl Listings {
    /// Fetches the places of these photos.
    pub(super) async fn of(
        services: &Clients,
        request: impl FnOnce(GetListingsRequest) -> Request<GetListingsRequest>,
        photos: &[proto::Photo],
    ) -> Result<Self, ApiError> {
        let mut ids: Vec<i64> = photos.iter().map(|photo| photo.listing_id).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let request = request(GetListingsRequest { ids });
        let found = services.places().get_listings(request).await?;
        let found = found.into_inner().listings.into_iter();
        Ok(Self(found.map(|listing| (listing.id, listing)).collect()))
    }

    /// Returns the place with this id for everyone; `None` if its pictures are age-restricted.
    pub(super) fn public(&self, id: i64) -> Option<PhotoListing> {
        let listing = self.0.get(&id)?;
        let kind = listing.r#type.as_ref();
        if kind.is_some_and(|kind| kind.is_age_restricted) {
            return None;
        }
        Some(link(listing))
    }

    /// Returns the place with this id for the photo's uploader.
    pub(super) fn own(&self, id: i64) -> PhotoListing {
        self.0.get(&id).map_or_else(
            || PhotoListing {
                id,
                name: "A place that is no longer listed".to_owned(),
                share_url: None,
            },
            link,
        )
    }
}

fn link(listing: &places::Listing) -> PhotoListing {
    PhotoListing {
        id: listing.id,
        name: listing.name.clone(),
        share_url: Some(Listing::path(listing)),
    }
}

/// The call for a photo.
pub(crate) fn detail_call(id: i64) -> PublicCall<Photo> {
    PublicCall::new(&format!("{PATH}{id}/"), &[])
}

/// A published photo with its position among the photos of its place.
#[utoipa::path(get, path = "/api/v2/photos/{id}/", operation_id = "get_photo", tag = "photos",
    params(("id" = i64, Path)),
    responses((status = 200, body = Photo), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(PATH, id, &[Tag::Areas, Tag::Listings, Tag::Photos]);
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            one(catalogue, id)
        })
        .await
}

async fn one(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let services = &catalogue.services;
    let request = catalogue.request(GetPhotoRequest { id });
    let found = services.photos().get_photo(request).await?.into_inner();
    let photo = found.photo.unwrap_or_default();
    let photos = [photo];
    let listings = Listings::of(services, |ids| catalogue.request(ids), &photos).await?;
    let [photo] = photos;
    let listing = listings.public(photo.listing_id);
    let listing = listing.ok_or_else(ApiError::not_found)?;
    let photo = Photo::new(&catalogue.pictures, photo, listing);
    Content::json(&photo.at(found.index, found.total))
}
