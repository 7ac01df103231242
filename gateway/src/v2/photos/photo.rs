//! GET `photos/{id}/`: one photo, and the shape of photos in all answers.

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

/// The calls of photos.
pub(super) const PATH: &str = "/api/v2/photos/";

/// The place of a photo.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct PhotoListing {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Its page; null if it is not published any more.
    #[schema(required = true)]
    pub(crate) share_url: Option<String>,
}

/// The person who has made a photo, as the site shows them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Author {
    pub(crate) full_name: String,
    /// Null if they have none.
    #[schema(required = true)]
    pub(crate) avatar_url: Option<String>,
}

/// A photo of a place.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Photo {
    pub(crate) id: i64,
    pub(crate) listing: PhotoListing,
    /// 610x610, cropped. The address is signed: another size or signature is 403. Null until the sizes are made.
    #[schema(required = true)]
    pub(crate) prism_image_url: Option<String>,
    /// 300x300, cropped.
    #[schema(required = true)]
    pub(crate) thumbnail_url: Option<String>,
    /// Uncropped, at most 1600x1600.
    #[schema(required = true)]
    pub(crate) whole_url: Option<String>,
    /// Of the picture as it was uploaded, in pixels.
    #[schema(required = true)]
    pub(crate) width: Option<u32>,
    #[schema(required = true)]
    pub(crate) height: Option<u32>,
    /// A placeholder until the picture is loaded: a thumbhash in base64.
    #[schema(required = true)]
    pub(crate) thumbhash: Option<String>,
    pub(crate) description: String,
    pub(crate) credit: String,
    /// `all-rights-reserved`, `CC-BY-4.0`, `CC-BY-SA-4.0` or `CC0-1.0`.
    pub(crate) licence: String,
    /// Its page; null if its place is not published any more.
    #[schema(required = true)]
    pub(crate) share_path: Option<String>,
    #[schema(format = DateTime, required = true)]
    pub(crate) creation_date: Option<String>,
    /// The reader who uploaded it.
    #[schema(required = true)]
    pub(crate) profile: Option<Author>,
    /// The person on Instagram whose it is, if it was imported.
    #[schema(required = true)]
    pub(crate) instagram_user: Option<Author>,
    /// The position among its place's published photos, from 1; null if it is not known.
    #[schema(required = true)]
    pub(crate) index: Option<i64>,
    /// The place's published photos; null if their number is not known.
    #[schema(required = true)]
    pub(crate) total: Option<i64>,
    /// When the content was computed; only of a single photo.
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

    /// The same photo at its position in its place's list.
    pub(super) fn at(mut self, index: i64, total: i64) -> Self {
        self.index = Some(index);
        self.total = Some(total);
        self
    }
}

/// `/restaurants/pai-toronto/photos/7`.
fn share_path(listing: &PhotoListing, id: i64) -> Option<String> {
    let page = listing.share_url.as_ref()?;
    Some(format!("{page}photos/{id}"))
}

/// The places of photos, by id.
pub(super) struct Listings(HashMap<i64, places::Listing>);

impl Listings {
    /// Asks for the places of these photos.
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

    /// The place with an id, for everyone: one whose pictures are for readers of legal age counts as unknown.
    pub(super) fn public(&self, id: i64) -> Option<PhotoListing> {
        let listing = self.0.get(&id)?;
        let kind = listing.r#type.as_ref();
        if kind.is_some_and(|kind| kind.is_age_restricted) {
            return None;
        }
        Some(link(listing))
    }

    /// The place with an id, for a photo's own reader.
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

/// The call of a photo.
pub(crate) fn detail_call(id: i64) -> PublicCall<Photo> {
    PublicCall::new(&format!("{PATH}{id}/"), &[])
}

/// A published photo, with its position among its place's.
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
