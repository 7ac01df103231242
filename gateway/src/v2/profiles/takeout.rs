//! POST `profiles/me/takeout/` and `profiles/me/takeout/save/`: places that the reader has saved with Google, as Google
//! Takeout gives them. The file is read and forgotten; only what the reader chooses is saved.

use std::collections::HashMap;

use axum::{extract::State, response::Response};
use bookmarks_proto::v1::CreateBookmarksRequest;
use chassis::computing::computed;
use http::StatusCode;
use places_proto::v1::{
    self as proto, MatchPlacesRequest, MatchPlacesResponse, SoughtPlace,
    place_match::Certainty as Found,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use crate::{
    edge::{
        answer::personal,
        body::{Body, required},
        error::{ApiError, ErrorBody},
        id,
        limits::{Client, TAKEOUTS, TooMany, Writer},
        upload::{Form, Uploads},
    },
    services::Clients,
    state::AppState,
    takeout::{self, MAX_BYTES, MAX_PLACES, SavedPlace, SavedPlaces},
    v2::{listing::NamedLink, time},
};

/// The field of the file.
const FILE: &str = "file";

/// The form of an upload, for the OpenAPI document.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct NewTakeout {
    /// `Saved Places.json`, or the table of a list (`Want to go.csv`), of at most 4 MiB.
    #[schema(format = Binary)]
    file: String,
}

/// The places of a file, beside those of the guide. Nothing of it is saved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakeoutReview {
    /// In the file's order; at most 2,000.
    results: Vec<TakeoutEntry>,
    /// The name of the list: that of the file.
    list: String,
    /// Entries without a name, by which nothing can be found.
    nameless: usize,
    /// Entries after the first 2,000.
    left_out: usize,
}

/// A place of a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakeoutEntry {
    name: String,
    address: Option<String>,
    /// The reader's own words.
    note: Option<String>,
    certainty: Certainty,
    /// The place of the guide that it is, or may be.
    listing: Option<MatchedListing>,
}

/// How sure it is which place of the guide it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Certainty {
    /// Name, address and position leave no doubt.
    Sure,
    /// The reader must look at it.
    Perhaps,
    /// The guide does not have it.
    None,
    /// It is in another city.
    Elsewhere,
}

/// A place of the guide.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MatchedListing {
    id: i64,
    name: String,
    /// Its page.
    share_url: String,
    address: Option<String>,
    is_closed: bool,
    default_neighborhood: Option<NamedLink>,
}

/// The places to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ChosenPlaces {
    /// Listings' ids.
    #[schema(min_items = 1, max_items = 2000, example = json!([1]))]
    listings: Option<Vec<i64>>,
    /// `favourites` or `todos`.
    kind: Option<String>,
}

/// What was saved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedTakeout {
    /// New records.
    saved: u32,
    /// Places that had been saved before.
    already_saved: u32,
    /// The others: there are no such places.
    unknown: Vec<i64>,
    /// The instant of this reader's last change of the kind, this one included; null if there never was one.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
    /// The change before it.
    #[schema(format = DateTime, required = true)]
    previous_update: Option<String>,
}

/// Reads a file of Google Takeout and finds its places in the guide. The file is not kept, and nothing is saved.
#[utoipa::path(post, path = "/api/v2/profiles/me/takeout/", operation_id = "review_takeout", tag = "profiles",
    request_body(content = NewTakeout, content_type = "multipart/form-data"),
    responses((status = 200, body = TakeoutReview),
        (status = 400, body = ErrorBody, description = "Under `file` why it cannot be read."),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn review(
    State(state): State<AppState>,
    Writer(reader): Writer,
    client: Client,
    form: Form,
) -> Result<Response, ApiError> {
    client.pass_as(&reader, &state.limits, TAKEOUTS).await?;
    let file = state
        .uploads
        .receive_whole(reader.profile_id, form, FILE, MAX_BYTES)
        .await?;
    let content = file.content;
    let read = computed("the reading of a file", move || SavedPlaces::read(&content)).await?;
    let read = read.map_err(|why| ApiError::field(FILE, why))?;
    let found = if read.places.is_empty() {
        MatchPlacesResponse::default()
    } else {
        let call = Uploads::call(reader.profile_id);
        let places = read.places.iter().map(sought).collect();
        let request = call.request(MatchPlacesRequest { places });
        state
            .services
            .places()
            .match_places(request)
            .await?
            .into_inner()
    };
    let review = TakeoutReview {
        results: entries(read.places, found),
        list: takeout::list_name(&file.name),
        nameless: read.nameless,
        left_out: read.left_out,
    };
    Ok(personal(StatusCode::OK, &review))
}

fn sought(place: &SavedPlace) -> SoughtPlace {
    SoughtPlace {
        name: place.name.clone(),
        address: place.address.clone(),
        coordinates: place.position.map(|at| proto::Coordinates {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        is_approximate: place.position.is_some_and(|at| at.is_approximate),
    }
}

fn entries(places: Vec<SavedPlace>, found: MatchPlacesResponse) -> Vec<TakeoutEntry> {
    let listings = found.places.into_iter().map(MatchedListing::new);
    let listings: HashMap<i64, _> = listings.map(|one| (one.id, one)).collect();
    let some = |text: String| (!text.is_empty()).then_some(text);
    let entries = places.into_iter().zip(found.matches).map(|(place, found)| {
        let listing = found.listing_id.and_then(|id| listings.get(&id));
        let certainty = match found.certainty() {
            // It may have been removed meanwhile.
            Found::Sure | Found::Perhaps if listing.is_none() => Certainty::None,
            Found::Sure => Certainty::Sure,
            Found::Perhaps => Certainty::Perhaps,
            Found::None | Found::Unspecified => Certainty::None,
            Found::Elsewhere => Certainty::Elsewhere,
        };
        TakeoutEntry {
            name: place.name,
            address: some(place.address),
            note: some(place.note),
            certainty,
            listing: listing.cloned(),
        }
    });
    entries.collect()
}

impl MatchedListing {
    fn new(place: proto::MatchedPlace) -> Self {
        Self {
            id: place.id,
            share_url: format!("/{}/{}/", place.type_slug, place.slug),
            name: place.name,
            address: place.address,
            is_closed: place.is_closed,
            default_neighborhood: place.neighbourhood.map(|area| NamedLink {
                share_url: format!("/neighbourhoods/{}/", area.slug),
                name: area.name,
            }),
        }
    }
}

/// Saves the places that the reader has chosen, in one change. Those that are saved already stay as they are.
#[utoipa::path(post, path = "/api/v2/profiles/me/takeout/save/", operation_id = "save_takeout", tag = "profiles",
    request_body = ChosenPlaces,
    responses((status = 200, body = SavedTakeout), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn save(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<ChosenPlaces>,
) -> Result<Response, ApiError> {
    let (kind, target_ids) = body.checked()?;
    let request = reader.call.request(CreateBookmarksRequest {
        kind: kind.name().to_owned(),
        target_ids,
    });
    let saved = clients.bookmarks().create_bookmarks(request).await?;
    let saved = saved.into_inner();
    let answer = SavedTakeout {
        saved: saved.created,
        already_saved: saved.existing,
        unknown: saved.unknown_ids,
        server_time: time::text(saved.stamp.as_ref()),
        previous_update: time::text(saved.previous_stamp.as_ref()),
    };
    Ok(personal(StatusCode::OK, &answer))
}

impl ChosenPlaces {
    fn checked(self) -> Result<(Kind, Vec<i64>), ApiError> {
        let listings = required("listings", self.listings)?;
        if listings.is_empty() || listings.len() > MAX_PLACES {
            let message = format!("Name 1 to {MAX_PLACES} places.");
            return Err(ApiError::field("listings", message));
        }
        if !listings.iter().all(|listing| id::is_id(*listing)) {
            return Err(ApiError::field("listings", "A valid integer is required."));
        }
        let kind = required("kind", self.kind)?;
        let of_places = [Kind::Favourites, Kind::Todos];
        let kind = of_places.into_iter().find(|one| one.name() == kind);
        let kind =
            kind.ok_or_else(|| ApiError::field("kind", "Choose “favourites” or “todos”."))?;
        Ok((kind, listings))
    }
}
