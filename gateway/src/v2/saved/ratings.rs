//! `ratings/`: places rated by a reader, and a place's average with the reader's own vote.

use axum::{extract::State, response::Response};
use http::StatusCode;
use places_proto::v1::{
    ChangeRatingRequest, DeleteRatingRequest, GetRatingMapRequest, GetRatingRequest,
    ListRatingsRequest, Origin, RateRequest, Rating, RatingRecord,
};
use prost_types::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    answers::{
        ChangeErrors, CreateErrors, DeleteErrors, Kept, ReadErrors, SavedListParams, SavedMap,
        SavedRecord, created_status, removed,
    },
    bodies::{NewRating, RatingChange},
};
use crate::{
    edge::{
        answer::{Page, PageParams, personal},
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{Client, TooMany, Writer},
        params::Params,
        session::{Reader, Visitor},
    },
    services::Clients,
    state::AppState,
    v2::{listing::Listing, time},
};

const PATH: &str = "/api/v2/ratings/";

/// A vote in a reader's list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatedPlace {
    id: i64,
    listing: Kept<Listing>,
    /// 1 to 5.
    rating: i32,
    /// False if the place is no longer published. The record can still be removed.
    is_available: bool,
    #[schema(format = DateTime)]
    date_created: Option<String>,
}

/// An entry of the map.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatingMapEntry {
    id: i64,
    listing_id: i64,
    /// 1 to 5.
    rating: i32,
}

/// A place's average, with the reader's own vote.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlaceRating {
    /// The vote's id; null if the reader has not voted, and for guests.
    #[schema(required = true)]
    id: Option<i64>,
    /// The listing's id.
    listing: i64,
    /// The reader's own vote, 1 to 5.
    #[schema(required = true)]
    rating: Option<i32>,
    /// Mean of the counted votes; null if there are none.
    #[schema(required = true)]
    average: Option<f64>,
    /// Number of counted votes.
    voters: i64,
}

/// The origin of a vote: the client's network, and the creation time of the reader's account.
pub(in crate::v2) fn origin(network: &str, account_created: Option<Timestamp>) -> Origin {
    Origin {
        network: network.to_owned(),
        account_created,
    }
}

fn entry(rating: Option<&Rating>) -> RatingMapEntry {
    let rating = rating.copied().unwrap_or_default();
    RatingMapEntry {
        id: rating.id,
        listing_id: rating.listing_id,
        rating: rating.rating,
    }
}

fn record(record: &RatingRecord) -> SavedRecord<RatingMapEntry> {
    let rating = record.rating.as_ref();
    let made = rating.and_then(|rating| rating.date_created.as_ref());
    let stamps = [record.stamp.as_ref(), record.previous_stamp.as_ref()];
    SavedRecord::new(entry(rating), made, stamps)
}

/// Places rated by the reader, by default latest vote first.
#[utoipa::path(get, path = "/api/v2/ratings/", operation_id = "list_ratings", tag = "saved",
    params(SavedListParams, PageParams),
    responses((status = 200, body = Page<RatedPlace>), (status = 400, body = ErrorBody), ReadErrors, TooMany))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let at = state.clock.now();
    let page = params.page()?;
    let request = reader.call.request(ListRatingsRequest {
        page: Some(page.clone()),
    });
    let listed = state.services.ratings().list_ratings(request).await?;
    let listed = listed.into_inner();
    let results = listed.ratings.into_iter().map(|rated| {
        let rating = rated.rating.unwrap_or_default();
        let listing = rated.listing.map(|one| Listing::new(&state.site, one));
        let listing = Kept::new(rating.listing_id, rated.listing_name, listing);
        RatedPlace {
            id: rating.id,
            is_available: listing.is_available(),
            listing,
            rating: rating.rating,
            date_created: time::text(rating.date_created.as_ref()),
        }
    });
    let answer = Page::new(results.collect(), listed.page, &page, &params, PATH).at(at);
    Ok(personal(StatusCode::OK, &answer))
}

/// The complete map from place ids to votes.
#[utoipa::path(get, path = "/api/v2/ratings/listing_ids/", operation_id = "map_ratings", tag = "saved",
    responses((status = 200, body = SavedMap<RatingMapEntry>), ReadErrors, TooMany))]
pub(crate) async fn listing_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetRatingMapRequest {});
    let map = clients
        .ratings()
        .get_rating_map(request)
        .await?
        .into_inner();
    let entries = map.entries.into_iter().map(|entry| RatingMapEntry {
        id: entry.id,
        listing_id: entry.listing_id,
        rating: entry.rating,
    });
    let map = SavedMap::new(entries.collect(), map.as_of.as_ref());
    Ok(personal(StatusCode::OK, &map))
}

/// A place's current average and number of votes, and the reader's own vote. Also available to guests.
#[utoipa::path(get, path = "/api/v2/ratings/{id}/", operation_id = "get_rating", tag = "saved",
    params(("id" = i64, Path, description = "A listing's id.")),
    responses((status = 200, body = PlaceRating), (status = 404, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn get(
    State(clients): State<Clients>,
    visitor: Visitor,
    Id(listing): Id,
) -> Result<Response, ApiError> {
    let call = visitor.call(&clients);
    let request = call.request(GetRatingRequest {
        listing_id: listing,
    });
    let found = clients.ratings().get_rating(request).await?.into_inner();
    let answer = PlaceRating {
        id: found.own.map(|own| own.id),
        listing,
        rating: found.own.map(|own| own.rating),
        average: found.average,
        voters: found.voters,
    };
    Ok(personal(StatusCode::OK, &answer))
}

/// Rates a place: 201 for a new vote, 200 for a changed vote.
#[utoipa::path(post, path = "/api/v2/ratings/", operation_id = "create_rating", tag = "saved",
    request_body = NewRating,
    responses((status = 201, body = SavedRecord<RatingMapEntry>),
        (status = 200, body = SavedRecord<RatingMapEntry>), CreateErrors, TooMany))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    client: Client,
    Body(body): Body<NewRating>,
) -> Result<Response, ApiError> {
    let (listing_id, rating) = body.parts()?;
    let request = reader.call.request(RateRequest {
        listing_id,
        rating,
        origin: Some(origin(client.network(), reader.account_created)),
    });
    let rated = clients.ratings().rate(request).await?.into_inner();
    Ok(personal(created_status(rated.created), &record(&rated)))
}

/// Changes a vote by its record id.
#[utoipa::path(patch, path = "/api/v2/ratings/{id}/", operation_id = "update_rating", tag = "saved",
    params(("id" = i64, Path, description = "A vote's id.")), request_body = RatingChange,
    responses((status = 200, body = SavedRecord<RatingMapEntry>), ChangeErrors, TooMany))]
pub(crate) async fn update(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
    Body(body): Body<RatingChange>,
) -> Result<Response, ApiError> {
    let rating = body.stars()?;
    let request = reader.call.request(ChangeRatingRequest { id, rating });
    let rated = clients.ratings().change_rating(request).await?;
    Ok(personal(StatusCode::OK, &record(&rated.into_inner())))
}

/// Removes a vote by its record id. `X-Server-Time` is the time of the change, `X-Previous-Update` the time of the
/// previous change.
#[utoipa::path(delete, path = "/api/v2/ratings/{id}/", operation_id = "delete_rating", tag = "saved",
    params(("id" = i64, Path, description = "A vote's id.")),
    responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let request = reader.call.request(DeleteRatingRequest { id });
    let deleted = clients.ratings().delete_rating(request).await?.into_inner();
    Ok(removed([
        deleted.stamp.as_ref(),
        deleted.previous_stamp.as_ref(),
    ]))
}
