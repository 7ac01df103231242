//! `favourites/`: a reader's favourite places.

use std::collections::HashMap;

use axum::{extract::State, response::Response};
use chassis::saved::Kind;
use cityguide_proto::{bookmarks::v1::BookmarkMap, places::v1::GetListingsRequest};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::{Page, personal},
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

/// A place in a reader's list; of one that has been unpublished only the name is left.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum KeptListing {
    /// As in lists of places.
    Published(Box<Listing>),
    /// A tombstone.
    Unpublished { id: i64, name: String },
}

/// A favourite.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Favourite {
    id: i64,
    listing: KeptListing,
    /// False where the place has been unpublished; the record can be removed.
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

/// The whole map from place to record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FavouriteMap {
    results: Vec<FavouriteMapEntry>,
    /// Every change up to this instant is in the map.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The place to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewFavourite {
    /// A listing's id.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    listing: Option<i64>,
    /// The same by its other name, where `listing` is absent.
    listing_id: Option<i64>,
}

/// The record that stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FavouriteRecord {
    id: i64,
    listing_id: i64,
    #[schema(format = DateTime)]
    date_created: Option<String>,
    /// The instant of this reader's last change of favourites, this one included.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
    /// The change before it, null for the first of all. A client whose map is older than this has
    /// missed another device's change.
    #[schema(format = DateTime, required = true)]
    previous_update: Option<String>,
}

/// The reader's favourites, newest first unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/favourites/", operation_id = "list_favourites", tag = "saved",
    params(
        ("keywords" = Option<String>, Query, description = "Matched in the place's name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_created|name))?$", description = "date_created or name; - descends."),
        ("offset" = Option<u32>, Query, description = "0 to 10,000; deeper by following next."),
        ("limit" = Option<u32>, Query, description = "1 to 100; 12 where absent."),
        ("after" = Option<String>, Query, description = "From next, as it is."),
    ),
    responses((status = 200, body = Page<Favourite>), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let now = state.clock.now();
    let page = params.page()?;
    let (favourites, info) = super::list(&state.services, &reader, KIND, page.clone()).await?;
    let ids = favourites.iter().map(|favourite| favourite.target_id);
    let mut listings = listings(&state, &reader, ids.collect()).await?;
    let results = favourites.into_iter().map(|favourite| {
        let id = favourite.target_id;
        let listing = listings.remove(&id);
        Favourite {
            id: favourite.id,
            is_available: listing.is_some(),
            listing: listing.unwrap_or(KeptListing::Unpublished {
                id,
                name: favourite.target_name,
            }),
            date_created: time::text(favourite.date_created.as_ref()),
        }
    });
    let answer = Page::new(results.collect(), info, &page, &params, PATH).at(now);
    Ok(personal(StatusCode::OK, &answer))
}

/// The published places among these ids.
async fn listings(
    state: &AppState,
    reader: &Reader,
    ids: Vec<i64>,
) -> Result<HashMap<i64, KeptListing>, ApiError> {
    let request = reader.call.request(GetListingsRequest { ids });
    let found = state.services.places().get_listings(request).await?;
    let listings = found.into_inner().listings.into_iter();
    Ok(listings
        .map(|listing| {
            let (id, listing) = (listing.id, Listing::new(&state.site, listing));
            (id, KeptListing::Published(Box::new(listing)))
        })
        .collect())
}

/// The whole map from place to record.
#[utoipa::path(get, path = "/api/v2/favourites/listing_ids/", operation_id = "map_favourites",
    tag = "saved",
    responses((status = 200, body = FavouriteMap), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn listing_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let shape = |map: BookmarkMap| FavouriteMap {
        server_time: time::text(map.as_of.as_ref()),
        results: (map.entries.into_iter())
            .map(|entry| FavouriteMapEntry {
                id: entry.id,
                listing_id: entry.target_id,
            })
            .collect(),
    };
    super::map(&clients, &reader, KIND, shape).await
}

/// Ensures that a place is a favourite: 201 for a new record, 200 for the one that stands.
#[utoipa::path(post, path = "/api/v2/favourites/", operation_id = "create_favourite", tag = "saved",
    request_body = NewFavourite,
    responses((status = 201, body = FavouriteRecord), (status = 200, body = FavouriteRecord),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<NewFavourite>,
) -> Result<Response, ApiError> {
    let listing_id = body.listing.or(body.listing_id);
    let listing_id =
        listing_id.ok_or_else(|| ApiError::field("listing", "This field is required."))?;
    super::create(&clients, &reader, KIND, listing_id, |record| {
        FavouriteRecord {
            id: record.id,
            listing_id: record.target_id,
            date_created: time::text(record.date_created.as_ref()),
            server_time: time::text(record.stamp.as_ref()),
            previous_update: time::text(record.previous_stamp.as_ref()),
        }
    })
    .await
}

/// Removes a favourite by its record id. `X-Server-Time` is the instant of the change,
/// `X-Previous-Update` that of the one before.
#[utoipa::path(delete, path = "/api/v2/favourites/{id}/", operation_id = "delete_favourite",
    tag = "saved", params(("id" = i64, Path)),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    super::delete(&clients, &reader, KIND, id).await
}
