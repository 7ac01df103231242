//! `favourites/`: a reader's favourite places.

use axum::{extract::State, response::Response};
use serde::Serialize;
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use super::{
    answers::{
        CreateErrors, DeleteErrors, Entry, Kept, ReadErrors, SavedListParams, SavedMap, SavedRecord,
    },
    bodies::NewPlace,
    bookmarks, places,
};
use crate::{
    edge::{
        answer::{Page, PageParams},
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
        params::Params,
        session::Reader,
    },
    services::Clients,
    state::AppState,
    v2::{listing::Listing, time},
};

const KIND: Kind = Kind::Favourites;
const PATH: &str = "/api/v2/favourites/";

/// A favourite place.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Favourite {
    id: i64,
    listing: Kept<Listing>,
    /// False if the place is no longer published. The record can still be removed.
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

fn entry(entry: Entry) -> FavouriteMapEntry {
    FavouriteMapEntry {
        id: entry.id,
        listing_id: entry.target_id,
    }
}

/// The reader's favourites, by default most recently saved first.
#[utoipa::path(get, path = "/api/v2/favourites/", operation_id = "list_favourites", tag = "saved",
    params(SavedListParams, PageParams),
    responses((status = 200, body = Page<Favourite>), (status = 400, body = ErrorBody), ReadErrors, TooMany))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let listed = bookmarks::list(&state, &reader, KIND, &params, None).await?;
    let listings = places::find(&state, &reader, &listed.bookmarks).await?;
    Ok(
        listed.answer(PATH, &params, listings, |one, listing| Favourite {
            id: one.id,
            is_available: listing.is_available(),
            listing,
            date_created: time::text(one.date_created.as_ref()),
        }),
    )
}

/// The complete map from place ids to records.
#[utoipa::path(get, path = "/api/v2/favourites/listing_ids/", operation_id = "map_favourites", tag = "saved",
    responses((status = 200, body = SavedMap<FavouriteMapEntry>), ReadErrors, TooMany))]
pub(crate) async fn listing_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    bookmarks::map(&clients, &reader, KIND, entry).await
}

/// Saves a place as a favourite: 201 for a new record, 200 for an existing one.
#[utoipa::path(post, path = "/api/v2/favourites/", operation_id = "create_favourite", tag = "saved",
    request_body = NewPlace,
    responses((status = 201, body = SavedRecord<FavouriteMapEntry>),
        (status = 200, body = SavedRecord<FavouriteMapEntry>), CreateErrors, TooMany))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<NewPlace>,
) -> Result<Response, ApiError> {
    bookmarks::create(&clients, &reader, KIND, body.id()?, entry).await
}

/// Removes a favourite by its record id. `X-Server-Time` is the time of the change, `X-Previous-Update` the time of the
/// previous change.
#[utoipa::path(delete, path = "/api/v2/favourites/{id}/", operation_id = "delete_favourite", tag = "saved",
    params(("id" = i64, Path)), responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    bookmarks::delete(&clients, &reader, KIND, id).await
}
