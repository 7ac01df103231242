//! GET `photos/me`: a reader's own photos with any status.

use axum::{extract::State, response::Response};
use http::StatusCode;
use photos_proto::v1::{self as proto, ListOwnPhotosRequest};
use serde::Serialize;
use utoipa::ToSchema;

use super::photo::{Listings, Photo};
use crate::{
    edge::{
        answer::{Page, PageParams, personal},
        error::{ApiError, ErrorBody},
        limits::TooMany,
        params::Params,
        session::Reader,
    },
    media::signed::PictureAddresses,
    state::AppState,
};

const PATH: &str = "/api/v2/photos/me";

/// A photo with the data for its uploader.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnPhoto {
    #[serde(flatten)]
    photo: Photo,
    /// `processing`, `waiting`, `published` or `refused`.
    status: String,
    /// Reason for a refusal; otherwise null.
    #[schema(required = true)]
    reason: Option<String>,
}

impl OwnPhoto {
    pub(super) fn new(
        addresses: &PictureAddresses,
        listings: &Listings,
        photo: proto::Photo,
    ) -> Self {
        let (status, reason) = (photo.status.clone(), photo.reason.clone());
        let listing = listings.own(photo.listing_id);
        Self {
            photo: Photo::new(addresses, photo, listing),
            status,
            reason: Some(reason).filter(|reason| !reason.is_empty()),
        }
    }
}

/// The reader's own photos, newest first.
#[utoipa::path(get, path = "/api/v2/photos/me", operation_id = "list_own_photos", tag = "photos",
    params(
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("ordering" = Option<String>, Query, pattern = "^(-date_created)?$", description = "-date_created."),
        PageParams,
    ),
    responses((status = 200, body = Page<OwnPhoto>), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let at = state.clock.now();
    let page = params.page()?;
    let request = reader.call.request(ListOwnPhotosRequest {
        page: Some(page.clone()),
        ids: params.ids("ids")?,
    });
    let listed = state.services.photos().list_own_photos(request).await?;
    let listed = listed.into_inner();
    let ids = |ids| reader.call.request(ids);
    let listings = Listings::of(&state.services, ids, &listed.photos).await?;
    let addresses = &state.catalogue.pictures;
    let photos = listed.photos.into_iter();
    let photos = photos.map(|photo| OwnPhoto::new(addresses, &listings, photo));
    let answer = Page::new(photos.collect(), listed.page, &page, &params, PATH).at(at);
    Ok(personal(StatusCode::OK, &answer))
}
