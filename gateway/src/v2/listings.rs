//! `listings/`: places.

use axum::{extract::State, response::Response};
use chassis::{call::Caller, instant};
use cityguide_proto::places::v1::{self as proto, GetListingRequest, ListListingsRequest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::Page,
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{Address, Ageing, Asked, Made, Tag},
    },
    state::Edge,
};

const PATH: &str = "/api/v2/listings/";

/// The query parameters of the list.
pub(super) const KNOWN: &[&str] = &[
    "after",
    "ids",
    "is_closed",
    "keywords",
    "limit",
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
}

/// Something with a name and a page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NamedLink {
    name: String,
    share_url: String,
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
    #[schema(format = DateTime)]
    date_published: Option<String>,
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
    /// When the content was computed; it is added to the answer as it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

impl From<proto::Listing> for Listing {
    fn from(listing: proto::Listing) -> Self {
        let kind = listing.r#type.unwrap_or_default();
        let type_url = format!("/{}/", kind.slug);
        Self {
            id: listing.id,
            share_url: format!("{type_url}{}/", listing.slug),
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
            date_published: listing
                .date_published
                .as_ref()
                .and_then(instant::from_proto)
                .map(instant::to_rfc3339),
        }
    }
}

/// Places, newest first unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/listings/", operation_id = "list_listings", tag = "catalogue",
    params(
        ("type" = Option<String>, Query, description = "A type's slug."),
        ("sub_type" = Option<String>, Query, description = "A sub-type's slug."),
        ("neighbourhood" = Option<String>, Query, description = "A neighbourhood's slug."),
        ("is_closed" = Option<u8>, Query, description = "1: closed places only; 0: open ones."),
        ("reviewed" = Option<u8>, Query, description = "1: reviewed places only; 0: others."),
        ("open_now" = Option<u8>, Query, description = "1: only places that are open now by the city's clock."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, description = "date_published, date_reviewed (reviewed places alone) or name; - descends."),
        ("offset" = Option<u32>, Query, description = "0 to 10,000; deeper by following next."),
        ("limit" = Option<u32>, Query, description = "1 to 100; 12 where absent."),
        ("after" = Option<String>, Query, description = "From next, as it is."),
    ),
    responses((status = 200, body = Page<Listing>), (status = 304), (status = 400, body = ErrorBody),
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
    };
    let call = edge.call(Caller::Guest);
    let answer = edge
        .services
        .places()
        .list_listings(call.request(request))
        .await?
        .into_inner();
    let results: Vec<Listing> = answer.listings.into_iter().map(Listing::from).collect();
    Made::of(&Page::of(results, answer.page, &page, &params, PATH))
}

/// One place with its review.
#[utoipa::path(get, path = "/api/v2/listings/{id}/", operation_id = "get_listing", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = ListingDetail), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(edge): State<Edge>,
    asked: Asked,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let address = Address::one(PATH, id, &[Tag::Areas]).of(Tag::Listing(id));
    edge.serve(&asked, address, Ageing::Passing, move |edge| one(edge, id))
        .await
}

async fn one(edge: Edge, id: i64) -> Result<Made, ApiError> {
    let call = edge.call(Caller::Guest);
    let request = call.request(GetListingRequest {
        id,
        zone: edge.site.timezone.name().to_owned(),
    });
    let detail = edge
        .services
        .places()
        .get_listing(request)
        .await?
        .into_inner();
    let answer = ListingDetail {
        listing: detail.listing.unwrap_or_default().into(),
        review: detail.review.map(|review| Review {
            body: review.body_html,
            author: review.author,
            date: review.date,
        }),
        is_open_now: detail.is_open_now,
        server_time: None,
    };
    Made::of(&answer)
}
