//! `favourites/`: the places a reader keeps.

use std::collections::HashMap;

use axum::{extract::State, response::Response};
use chassis::instant;
use cityguide_proto::{
    bookmarks::v1::{
        CreateFavouriteRequest, DeleteFavouriteRequest, GetFavouriteMapRequest,
        ListFavouritesRequest,
    },
    places::v1::{self as places, GetListingsRequest},
};
use http::{HeaderValue, StatusCode};
use prost_types::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::listing::Listing;
use crate::{
    edge::{
        answer::{Page, done, personal},
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
        params::Params,
        session::Reader,
    },
    state::AppState,
};

const PATH: &str = "/api/v2/favourites/";

/// A place in a reader's list; of one that has been unpublished only the name is left.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum KeptListing {
    /// As in lists of places.
    Published(Box<Listing>),
    /// What is left of one that has been unpublished.
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

/// Which place to keep.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(default)]
#[derive(Default)]
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

fn written(at: Option<&Timestamp>) -> Option<String> {
    at.and_then(instant::from_proto).map(instant::to_rfc3339)
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
    State(edge): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let now = edge.clock.now();
    let page = params.page()?;
    let request = reader.call.request(ListFavouritesRequest {
        page: Some(page.clone()),
    });
    let kept = edge
        .services
        .bookmarks()
        .list_favourites(request)
        .await?
        .into_inner();

    let ids = kept
        .favourites
        .iter()
        .map(|favourite| favourite.listing_id)
        .collect();
    let request = reader.call.request(GetListingsRequest { ids });
    let listings = edge
        .services
        .places()
        .get_listings(request)
        .await?
        .into_inner()
        .listings;
    let mut listings: HashMap<i64, places::Listing> = listings
        .into_iter()
        .map(|listing| (listing.id, listing))
        .collect();

    let results = kept
        .favourites
        .into_iter()
        .map(|favourite| {
            let listing = listings.remove(&favourite.listing_id);
            Favourite {
                id: favourite.id,
                is_available: listing.is_some(),
                listing: listing.map_or_else(
                    || KeptListing::Unpublished {
                        id: favourite.listing_id,
                        name: favourite.listing_name,
                    },
                    |listing| KeptListing::Published(Box::new(Listing::new(&edge.site, listing))),
                ),
                date_created: written(favourite.date_created.as_ref()),
            }
        })
        .collect();
    let answer = Page::new(results, kept.page, &page, &params, PATH).at(now);
    Ok(personal(StatusCode::OK, &answer))
}

/// The whole map from place to record.
#[utoipa::path(get, path = "/api/v2/favourites/listing_ids/", operation_id = "map_favourites",
    tag = "saved",
    responses((status = 200, body = FavouriteMap), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn listing_ids(
    State(edge): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetFavouriteMapRequest {});
    let map = edge
        .services
        .bookmarks()
        .get_favourite_map(request)
        .await?
        .into_inner();
    let results = map
        .entries
        .into_iter()
        .map(|entry| FavouriteMapEntry {
            id: entry.id,
            listing_id: entry.listing_id,
        })
        .collect();
    let server_time = written(map.as_of.as_ref());
    Ok(personal(
        StatusCode::OK,
        &FavouriteMap {
            results,
            server_time,
        },
    ))
}

/// Ensures that a place is a favourite: 201 for a new record, 200 for the one that stands.
#[utoipa::path(post, path = "/api/v2/favourites/", operation_id = "create_favourite", tag = "saved",
    request_body = NewFavourite,
    responses((status = 201, body = FavouriteRecord), (status = 200, body = FavouriteRecord),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn create(
    State(edge): State<AppState>,
    Writer(reader): Writer,
    Body(body): Body<NewFavourite>,
) -> Result<Response, ApiError> {
    let listing_id = body
        .listing
        .or(body.listing_id)
        .ok_or_else(|| ApiError::field("listing", "This field is required."))?;
    let request = reader.call.request(CreateFavouriteRequest { listing_id });
    let record = edge
        .services
        .bookmarks()
        .create_favourite(request)
        .await?
        .into_inner();
    let status = if record.created {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let answer = FavouriteRecord {
        id: record.id,
        listing_id: record.listing_id,
        date_created: written(record.date_created.as_ref()),
        server_time: written(record.stamp.as_ref()),
        previous_update: written(record.previous_stamp.as_ref()),
    };
    Ok(personal(status, &answer))
}

/// Removes a favourite by its record id. `X-Server-Time` is the instant of the change,
/// `X-Previous-Update` that of the one before.
#[utoipa::path(delete, path = "/api/v2/favourites/{id}/", operation_id = "delete_favourite",
    tag = "saved", params(("id" = i64, Path)),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn delete(
    State(edge): State<AppState>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let request = reader.call.request(DeleteFavouriteRequest { id });
    let deleted = edge
        .services
        .bookmarks()
        .delete_favourite(request)
        .await?
        .into_inner();
    let mut response = done();
    for (name, at) in [
        ("x-server-time", deleted.stamp),
        ("x-previous-update", deleted.previous_stamp),
    ] {
        if let Some(at) = written(at.as_ref())
            && let Ok(at) = HeaderValue::from_str(&at)
        {
            response.headers_mut().insert(name, at);
        }
    }
    Ok(response)
}
