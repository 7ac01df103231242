//! `favourites/`: a reader's favourite places.

use axum::{extract::State, response::Response};
use chassis::saved::Kind;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    answers::{CreateErrors, DeleteErrors, ReadErrors, SavedListParams, SavedMap, SavedRecord},
    bookmarks,
    places::{self, KeptListing},
};
use crate::{
    edge::{
        answer::{Page, PageParams, personal},
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
        params::Params,
        session::Reader,
    },
    services::Clients,
    state::AppState,
    v2::time,
};

const KIND: Kind = Kind::Favourites;
const PATH: &str = "/api/v2/favourites/";

/// A favourite.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Favourite {
    id: i64,
    listing: KeptListing,
    /// False if the place has been unpublished; the record can be removed.
    is_available: bool,
    #[schema(format = DateTime)]
    date_created: Option<String>,
}

/// An entry of the map.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FavouriteMapEntry {
    id: i64,
    listing_id: i64,
}

fn entry(id: i64, listing_id: i64) -> FavouriteMapEntry {
    FavouriteMapEntry { id, listing_id }
}

/// The place to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewFavourite {
    /// A listing's id.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    listing: Option<i64>,
    /// Another name for `listing`, used if that is absent.
    listing_id: Option<i64>,
}

/// The reader's favourites, by default the newest first.
#[utoipa::path(get, path = "/api/v2/favourites/", operation_id = "list_favourites", tag = "saved",
    params(SavedListParams, PageParams),
    responses((status = 200, body = Page<Favourite>), (status = 400, body = ErrorBody), ReadErrors))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let now = state.clock.now();
    let page = params.page()?;
    let (saved, info) = bookmarks::list(&state.services, &reader, KIND, page.clone()).await?;
    let listings = places::find(&state, &reader, &saved).await?;
    let results = saved
        .into_iter()
        .zip(listings)
        .map(|(one, listing)| Favourite {
            id: one.id,
            is_available: listing.is_available(),
            listing,
            date_created: time::text(one.date_created.as_ref()),
        });
    let answer = Page::new(results.collect(), info, &page, &params, PATH).at(now);
    Ok(personal(StatusCode::OK, &answer))
}

/// The whole map from place to record.
#[utoipa::path(get, path = "/api/v2/favourites/listing_ids/", operation_id = "map_favourites", tag = "saved",
    responses((status = 200, body = SavedMap<FavouriteMapEntry>), ReadErrors))]
pub(crate) async fn listing_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    bookmarks::map(&clients, &reader, KIND, entry).await
}

/// Ensures that a place is a favourite: 201 for a new record, 200 for an existing one.
#[utoipa::path(post, path = "/api/v2/favourites/", operation_id = "create_favourite", tag = "saved",
    request_body = NewFavourite,
    responses((status = 201, body = SavedRecord<FavouriteMapEntry>),
        (status = 200, body = SavedRecord<FavouriteMapEntry>), CreateErrors, TooMany))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<NewFavourite>,
) -> Result<Response, ApiError> {
    let listing_id = body.listing.or(body.listing_id);
    let listing_id =
        listing_id.ok_or_else(|| ApiError::field("listing", "This field is required."))?;
    bookmarks::create(&clients, &reader, KIND, listing_id, entry).await
}

/// Removes a favourite by its record id. `X-Server-Time` is the instant of the change, `X-Previous-Update`
/// that of the previous change.
#[utoipa::path(delete, path = "/api/v2/favourites/{id}/", operation_id = "delete_favourite", tag = "saved",
    params(("id" = i64, Path)), responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    bookmarks::delete(&clients, &reader, KIND, id).await
}
