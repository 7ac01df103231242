//! `listings/`: places.

use axum::{extract::State, response::Response};
use chassis::{call::Caller, instant};
use cityguide_proto::places::v1::{
    self as proto, GetListingRequest, Include, ListListingsRequest, ListSimilarRequest,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::best_of_lists::BestOfList;
use crate::{
    edge::{
        answer::{Page, personal},
        error::{ApiError, ErrorBody},
        id::Id,
        of_age::OfAge,
        params::Params,
        public::{Address, Ageing, Asked, Made, Tag},
    },
    site::Site,
    state::Edge,
};

const PATH: &str = "/api/v2/listings/";

/// The query parameters of the list.
pub(super) const KNOWN: &[&str] = &[
    "after",
    "best_of",
    "ids",
    "is_closed",
    "keywords",
    "limit",
    "near",
    "neighbourhood",
    "offset",
    "open_now",
    "ordering",
    "reviewed",
    "sub_type",
    "type",
];

/// A position in degrees (WGS 84).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Coordinates {
    lat: f64,
    lng: f64,
}

/// The type of a place.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListingTypeRef {
    id: i64,
    name: String,
    /// One of them: "Restaurant".
    name_singular: String,
    share_url: String,
    /// Whether its places are inspected as food establishments.
    is_food: bool,
    /// Whether its places show review and picture only to readers of legal age (`gated/`).
    is_age_restricted: bool,
}

/// Something with a name and a page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NamedLink {
    name: String,
    share_url: String,
}

/// A best-of list on which a place stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BestOfRanking {
    name: String,
    share_url: String,
    /// From 1, the best first.
    rank: i32,
}

/// A place.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Listing {
    id: i64,
    name: String,
    /// Its page.
    share_url: String,
    image_url: Option<String>,
    address: Option<String>,
    phone: Option<String>,
    website: Option<String>,
    is_closed: bool,
    r#type: ListingTypeRef,
    sub_type: Option<NamedLink>,
    default_neighborhood: Option<NamedLink>,
    /// The city's id of the inspected establishment.
    dinesafe_establishment_id: Option<String>,
    /// OpenStreetMap's `opening_hours`, by the city's clock.
    opening_hours: Option<String>,
    coordinates: Option<Coordinates>,
    /// The latest first.
    appears_in_best_of_lists: Vec<BestOfRanking>,
    /// The mean of readers' votes, 1 to 5; null where nobody has voted.
    rating: Option<f64>,
    voters: i64,
    #[schema(format = DateTime)]
    date_published: Option<String>,
}

/// A place of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedListing {
    #[serde(flatten)]
    listing: Listing,
    /// Whole metres from the position that `near` gave, along the ground; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

/// Places like one, the most alike first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SimilarListings {
    results: Vec<Listing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// What the magazine says of a place.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Review {
    /// Sanitised HTML.
    body: String,
    author: String,
    #[schema(format = Date)]
    date: String,
}

/// A place with its review.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListingDetail {
    #[serde(flatten)]
    listing: Listing,
    review: Option<Review>,
    /// Null where its hours are not known.
    is_open_now: Option<bool>,
    /// The places that were reviewed last, where `include` names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    recent: Option<Vec<Listing>>,
    /// The best-of lists on which it stands, where `include` names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_of: Option<Vec<BestOfList>>,
    /// Places like it, where `include` names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    similar: Option<Vec<Listing>>,
    /// When the content was computed; it is added to the answer as it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

impl Listing {
    /// The page of a place.
    pub(super) fn path(listing: &proto::Listing) -> String {
        let kind = listing.r#type.as_ref().map_or("", |kind| &kind.slug);
        format!("/{kind}/{}/", listing.slug)
    }

    pub(super) fn of(site: &Site, listing: proto::Listing) -> Self {
        let share_url = Self::path(&listing);
        let kind = listing.r#type.unwrap_or_default();
        let type_url = format!("/{}/", kind.slug);
        Self {
            id: listing.id,
            share_url,
            name: listing.name,
            image_url: listing.image_url,
            address: listing.address,
            phone: listing.phone,
            website: listing.website,
            is_closed: listing.is_closed,
            sub_type: listing.sub_type.map(|sub_type| NamedLink {
                share_url: format!("{type_url}?sub_type={}", sub_type.slug),
                name: sub_type.name,
            }),
            r#type: ListingTypeRef {
                id: kind.id,
                name: kind.name,
                name_singular: kind.name_singular,
                share_url: type_url,
                is_food: kind.is_food,
                is_age_restricted: kind.is_age_restricted,
            },
            default_neighborhood: listing.neighbourhood.map(|area| NamedLink {
                share_url: format!("/neighbourhoods/{}/", area.slug),
                name: area.name,
            }),
            dinesafe_establishment_id: listing.dinesafe_establishment_id,
            opening_hours: listing.opening_hours,
            coordinates: listing.coordinates.map(|at| Coordinates {
                lat: at.latitude,
                lng: at.longitude,
            }),
            appears_in_best_of_lists: listing
                .rankings
                .into_iter()
                .map(|ranking| BestOfRanking {
                    share_url: site.best_of_url(&ranking.slug),
                    name: ranking.name,
                    rank: ranking.rank,
                })
                .collect(),
            rating: listing.rating,
            voters: listing.voters,
            date_published: listing
                .date_published
                .as_ref()
                .and_then(instant::from_proto)
                .map(instant::to_rfc3339),
        }
    }
}

pub(super) fn all_of(site: &Site, listings: Vec<proto::Listing>) -> Vec<Listing> {
    listings
        .into_iter()
        .map(|listing| Listing::of(site, listing))
        .collect()
}

/// Places, newest first unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/listings/", operation_id = "list_listings", tag = "catalogue",
    params(
        ("type" = Option<String>, Query, description = "A type's slug."),
        ("sub_type" = Option<String>, Query, description = "A sub-type's slug."),
        ("neighbourhood" = Option<String>, Query, description = "A neighbourhood's slug."),
        ("best_of" = Option<String>, Query, description = "A best-of list's slug."),
        ("is_closed" = Option<u8>, Query, description = "1: closed places only; 0: open ones."),
        ("reviewed" = Option<u8>, Query, description = "1: reviewed places only; 0: others."),
        ("open_now" = Option<u8>, Query, description = "1: only places that are open now by the city's clock."),
        ("near" = Option<String>, Query, pattern = "^(-?[0-8]?[0-9](\\.[0-9]{1,9})?,-?(1[0-7]|[0-9])?[0-9](\\.[0-9]{1,9})?)?$", description = "lat,lng in degrees: only places whose position is known, each with its distance."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|date_reviewed|name|rating|distance))?$", description = "date_published, date_reviewed (reviewed places alone), name, rating (by a mean that weighs few votes less) or, with near, distance; - descends."),
        ("offset" = Option<u32>, Query, description = "0 to 10,000; deeper by following next."),
        ("limit" = Option<u32>, Query, description = "1 to 100; 12 where absent."),
        ("after" = Option<String>, Query, description = "From next, as it is."),
    ),
    responses((status = 200, body = Page<ListedListing>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    let params = asked.params(KNOWN);
    let address = Address::list(PATH, &params, &[Tag::Areas, Tag::Listings]);
    let ageing = match params.truth("open_now")? {
        Some(true) => Ageing::Passing,
        _ => Ageing::Usual,
    };
    edge.serve(&asked, address, ageing, |edge| page(edge, params))
        .await
}

async fn page(edge: Edge, params: Params) -> Result<Made, ApiError> {
    let page = params.page()?;
    let slug = |name: &str| -> Result<String, ApiError> {
        Ok(params.text(name)?.unwrap_or_default().to_owned())
    };
    let near = params.position("near")?;
    let request = ListListingsRequest {
        page: Some(page.clone()),
        r#type: slug("type")?,
        sub_type: slug("sub_type")?,
        neighbourhood: slug("neighbourhood")?,
        is_closed: params.truth("is_closed")?,
        reviewed: params.truth("reviewed")?,
        ids: params.ids("ids")?,
        open_now_in: match params.truth("open_now")? {
            Some(true) => edge.site.timezone.name().to_owned(),
            _ => String::new(),
        },
        near,
        best_of: slug("best_of")?,
    };
    let call = edge.call(Caller::Guest);
    let answer = edge
        .services
        .places()
        .list_listings(call.request(request))
        .await?
        .into_inner();
    let results: Vec<_> = answer
        .listings
        .into_iter()
        .map(|listing| ListedListing {
            distance: listing.distance_metres,
            listing: Listing::of(&edge.site, listing),
        })
        .collect();
    Made::of(&Page::of(results, answer.page, &page, &params, PATH))
}

/// One place with its review, and what its page shows beside it.
#[utoipa::path(get, path = "/api/v2/listings/{id}/", operation_id = "get_listing", tag = "catalogue",
    params(("id" = i64, Path),
        ("include" = Option<String>, Query, pattern = "^((recent|best_of|similar)(,(recent|best_of|similar))*)?$", description = "A comma list of recent (the places that were reviewed last), best_of (the lists on which it stands) and similar.")),
    responses((status = 200, body = ListingDetail), (status = 304), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(edge): State<Edge>,
    asked: Asked,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let include = included(&asked.params(&["include"]))?;
    let names: Vec<_> = include.iter().map(Include::as_str_name).collect();
    // What is beside a place changes with others.
    let tags: &[Tag] = if include.is_empty() {
        &[Tag::Areas]
    } else {
        &[Tag::Areas, Tag::Listings]
    };
    let address = Address::one(&format!("{PATH}{id}/"), names.join(","), tags);
    let address = address.of(Tag::Listing(id));
    edge.serve(&asked, address, Ageing::Passing, move |edge| {
        one(edge, id, include)
    })
    .await
}

/// What `include` names, each once and in one order.
fn included(params: &Params) -> Result<Vec<Include>, ApiError> {
    let mut include = Vec::new();
    for name in params.text("include")?.unwrap_or_default().split(',') {
        include.push(match name.trim() {
            "" => continue,
            "recent" => Include::Recent,
            "best_of" => Include::BestOf,
            "similar" => Include::Similar,
            _ => {
                return Err(ApiError::field(
                    "include",
                    "Choose of: recent, best_of, similar.",
                ));
            }
        });
    }
    include.sort_unstable();
    include.dedup();
    Ok(include)
}

async fn one(edge: Edge, id: i64, include: Vec<Include>) -> Result<Made, ApiError> {
    Made::of(&whole(&edge, id, false, &include).await?)
}

/// A place; of an age-restricted type the whole only where its reader has said to be of age.
async fn whole(
    edge: &Edge,
    id: i64,
    of_age: bool,
    include: &[Include],
) -> Result<ListingDetail, ApiError> {
    let request = edge.call(Caller::Guest).request(GetListingRequest {
        id,
        zone: edge.site.timezone.name().to_owned(),
        of_age,
        include: include.iter().map(|part| (*part).into()).collect(),
    });
    let detail = edge.services.places().get_listing(request).await?;
    let detail = detail.into_inner();
    let wanted = |part: Include| include.contains(&part);
    let lists = |lists: Vec<proto::BestOfList>| {
        let lists = lists.into_iter();
        lists.map(|list| BestOfList::of(&edge.site, list)).collect()
    };
    Ok(ListingDetail {
        listing: Listing::of(&edge.site, detail.listing.unwrap_or_default()),
        review: detail.review.map(|review| Review {
            body: review.body_html,
            author: review.author,
            date: review.date,
        }),
        is_open_now: detail.is_open_now,
        recent: wanted(Include::Recent).then(|| all_of(&edge.site, detail.recent)),
        best_of: wanted(Include::BestOf).then(|| lists(detail.best_of)),
        similar: wanted(Include::Similar).then(|| all_of(&edge.site, detail.similar)),
        server_time: None,
    })
}

/// One place with its review, whatever its type.
#[utoipa::path(get, path = "/api/v2/listings/{id}/gated/", operation_id = "get_gated_listing",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = ListingDetail), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn gated(
    State(edge): State<Edge>,
    _: OfAge,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let mut answer = whole(&edge, id, true, &[]).await?;
    answer.server_time = Some(instant::to_rfc3339(edge.clock.now()));
    Ok(personal(StatusCode::OK, &answer))
}

/// Places that readers of one may like too: open ones of its type, at most 12.
#[utoipa::path(get, path = "/api/v2/listings/{id}/similar/", operation_id = "list_similar_listings",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = SimilarListings), (status = 304),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn similar(
    State(edge): State<Edge>,
    asked: Asked,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let path = format!("{PATH}{id}/");
    let address = Address::one(&path, "similar", &[Tag::Areas, Tag::Listings]);
    edge.serve(&asked, address, Ageing::Usual, move |edge| akin(edge, id))
        .await
}

async fn akin(edge: Edge, id: i64) -> Result<Made, ApiError> {
    let request = edge.call(Caller::Guest).request(ListSimilarRequest { id });
    let found = edge.services.places().list_similar(request).await?;
    Made::of(&SimilarListings {
        results: all_of(&edge.site, found.into_inner().listings),
        server_time: None,
    })
}
