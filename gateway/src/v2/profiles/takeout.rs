//! POST `profiles/me/takeout/` and `profiles/me/takeout/save/`: import of places that the reader has saved with Google,
//! from a file of Google Takeout. The file is not stored; only the places that the reader chooses are saved.

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

/// Form field of the file.
const FILE: &str = "file";

/// Upload form, for the OpenAPI document.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct NewTakeout {
    /// `Saved Places.json` or the table of a list (`Want to go.csv`), at most 4 MiB.
    #[schema(format = Binary)]
    file: String,
}

/// Places in a file, with matching places of the guide. Nothing is saved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakeoutReview {
    /// In the order of the file; at most 2,000.
    results: Vec<TakeoutEntry>,
    /// Name of the list, from the file name.
    list: String,
    /// Number of entries without a name, which cannot be looked up.
    nameless: usize,
    /// Number of entries after the first 2,000.
    left_out: usize,
}

/// A place in a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakeoutEntry {
    name: String,
    address: Option<String>,
    /// The reader's own note.
    note: Option<String>,
    certainty: Certainty,
    /// The certain or possible match in the guide.
    listing: Option<MatchedListing>,
}

/// Certainty of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Certainty {
    /// Name, address and position match unambiguously.
    Sure,
    /// The reader must confirm the match.
    Perhaps,
    /// The guide does not have this place.
    None,
    /// The place is in another city.
    Elsewhere,
}

/// A place of the guide.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MatchedListing {
    id: i64,
    name: String,
    /// Path of the object's page.
    share_url: String,
    address: Option<String>,
    is_closed: bool,
    default_neighborhood: Option<NamedLink>,
}

/// The places to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ChosenPlaces {
    /// Listing ids.
    #[schema(min_items = 1, max_items = 2000, example = json!([1]))]
    listings: Option<Vec<i64>>,
    /// `favourites` or `todos`.
    kind: Option<String>,
}

/// Result of saving.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedTakeout {
    /// Number of new records.
    saved: u32,
    /// Number of places that were already saved.
    already_saved: u32,
    /// Ids of places that do not exist.
    unknown: Vec<i64>,
    /// Time of this reader's last change of the kind, including this request; null if there has been no change.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
    /// Time of the previous change.
    #[schema(format = DateTime, required = true)]
    previous_update: Option<String>,
}

/// Reads a file of Google Takeout and finds its places in the guide. The file is not stored, and nothing is saved.
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
            // The place may have been removed meanwhile.
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

/// Saves the chosen places in a single change. Places that are already saved remain unchanged.
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
