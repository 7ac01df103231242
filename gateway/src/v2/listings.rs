//! `listings/`: places.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chassis::instant;
use chrono::{DateTime, Utc};
use http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use places_proto::v1::{self as proto, GetListingRequest, Include, ListListingsRequest};
use serde::{Deserialize, Serialize};
use site::Site;
use utoipa::ToSchema;

use super::{
    best_of_lists::BestOfList,
    call::PublicCall,
    inspections::LatestInspections,
    items::{articles::Article, events::Event, resource::INCOMPLETE, rows},
    listing::Listing,
    photos::{FirstPhotos, of_listing},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams, personal},
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{CountedRead, TooMany},
        of_age::OfAge,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    words::{dates, opening_hours, web_address},
};

pub(super) const PATH: &str = "/api/v2/listings/";

/// The city's public register of food inspections.
const INSPECTIONS: &str = "https://www.toronto.ca/community-people/health-wellness-care/health-programs-advice/food-safety/dinesafe/#/establishment/";

/// Query parameters of the list.
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

/// A place in a list.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ListedListing {
    #[serde(flatten)]
    pub(crate) listing: Listing,
    /// Distance from the position in `near`, in whole metres; absent without `near`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distance: Option<u32>,
}

/// The editors' review of a place.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Review {
    /// Sanitised HTML.
    pub(crate) body: String,
    pub(crate) author: String,
    #[schema(format = Date)]
    pub(crate) date: String,
    /// `date` in words: "May 3", "May 3, 2025".
    pub(crate) written_on: String,
}

/// A place with its review.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ListingDetail {
    #[serde(flatten)]
    pub(crate) listing: Listing,
    pub(crate) review: Option<Review>,
    /// Null if the opening hours are unknown.
    pub(crate) is_open_now: Option<bool>,
    /// Whether the place is open and when that changes, in words: "Open until 7:00 p.m.", "Opens tomorrow at 9:00 a.m.";
    /// null if the opening hours are unknown or the place has closed for good.
    pub(crate) open_status: Option<String>,
    /// When `open_status` changes within a day.
    #[serde(skip)]
    hours_change_at: Option<DateTime<Utc>>,
    /// `opening_hours` in words, one line per rule.
    pub(crate) hours: Vec<String>,
    /// Host of `website` without `www.`; null if `website` is not a web address.
    pub(crate) website_host: Option<String>,
    /// The city's page about the place's inspections; only for food establishments.
    pub(crate) inspection_url: Option<String>,
    /// The nine most recently reviewed places, if requested in `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recent: Option<Vec<Listing>>,
    /// The best-of lists that rank the place, if requested in `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) best_of: Option<Vec<BestOfList>>,
    /// The four most similar places, if requested in `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) similar: Option<Vec<Listing>>,
    /// The first readers' photos, if requested in `include` and currently available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) photos: Option<FirstPhotos>,
    /// The newest articles that name the place, if requested in `include` and currently available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) articles: Option<Vec<Article>>,
    /// The next events at the place, if requested in `include` and currently available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) events: Option<Vec<Event>>,
    /// The latest inspections, if requested in `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inspections: Option<LatestInspections>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

pub(super) fn listings(site: &Site, listings: Vec<proto::Listing>) -> Vec<Listing> {
    listings
        .into_iter()
        .map(|listing| Listing::new(site, listing))
        .collect()
}

/// The call for a page of places.
pub(crate) fn list_call(query: &[(&str, &str)]) -> PublicCall<Page<ListedListing>> {
    PublicCall::new(PATH, query)
}

/// The call for a place with all data for its page.
pub(crate) fn detail_call(id: i64) -> PublicCall<ListingDetail> {
    let parts = "recent,best_of,similar,photos,inspections,articles,events";
    let include = [("include", parts)];
    PublicCall::new(&format!("{PATH}{id}/"), &include)
}

/// Places, by default newest first.
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
        PageParams,
    ),
    responses((status = 200, body = Page<ListedListing>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Areas, Tag::Listings]);
    let ageing = match params.truth("open_now")? {
        Some(true) => Freshness::Short,
        _ => Freshness::Usual,
    };
    catalogue
        .serve(&request, key, ageing, |catalogue| page(catalogue, params))
        .await
}

async fn page(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
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
            Some(true) => catalogue.site.timezone.name().to_owned(),
            _ => String::new(),
        },
        near,
        best_of: slug("best_of")?,
    };
    let answer = catalogue
        .services
        .places()
        .list_listings(catalogue.request(request))
        .await?
        .into_inner();
    let results: Vec<_> = answer
        .listings
        .into_iter()
        .map(|listing| ListedListing {
            distance: listing.distance_metres,
            listing: Listing::new(&catalogue.site, listing),
        })
        .collect();
    Content::json(&Page::new(results, answer.page, &page, &params, PATH))
}

/// A place with its review and the lists in `include`.
#[utoipa::path(get, path = "/api/v2/listings/{id}/", operation_id = "get_listing", tag = "catalogue",
    params(("id" = i64, Path),
        ("include" = Option<String>, Query, pattern = "^((recent|best_of|similar|photos|inspections|articles|events)(,(recent|best_of|similar|photos|inspections|articles|events))*)?$", description = "A comma list of recent (the places that were reviewed last), best_of (the lists on which it stands), similar, photos (the first five), inspections (the latest), articles (the newest four that name it) and events (the next five there).")),
    responses((status = 200, body = ListingDetail), (status = 304), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let include = included(&request.params(&["include"]))?;
    let mut names: Vec<_> = include.parts.iter().map(Include::as_str_name).collect();
    for (part, name) in [
        (include.photos, "PHOTOS"),
        (include.articles, "ARTICLES"),
        (include.events, "EVENTS"),
    ] {
        if part {
            names.push(name);
        }
    }
    // The included lists also depend on other places and on items.
    let tags: &[Tag] = match (include.parts.is_empty(), include.articles || include.events) {
        (true, false) => &[Tag::Areas],
        (false, false) => &[Tag::Areas, Tag::Listings],
        (_, true) => &[Tag::Areas, Tag::Listings, Tag::Items],
    };
    let key = CacheKey::one(&format!("{PATH}{id}/"), names.join(","), tags);
    let mut key = key.tagged(Tag::Listing(id));
    if include.photos {
        key = key.tagged(Tag::PhotosOf(id));
    }
    catalogue
        .serve(&request, key, Freshness::Short, move |catalogue| {
            one(catalogue, id, include)
        })
        .await
}

/// Contents of `include`.
#[derive(Debug, Default)]
struct Included {
    /// Parts from the places service, without duplicates and in a fixed order.
    parts: Vec<Include>,
    photos: bool,
    articles: bool,
    events: bool,
}

/// Numbers of articles and events included in a place's response.
const ARTICLES: u32 = 4;
const EVENTS: u32 = 5;
/// Numbers of recently reviewed and similar places included in a place's response: as many as its page first shows, because
/// the page with its data must fit into the first flight of a connection. One of the reviewed places may be the place
/// itself.
const RECENT: usize = 9;
const SIMILAR: usize = 4;
/// Number of photos included in a place's response.
const FIRST_PHOTOS: u32 = 5;

fn included(params: &Params) -> Result<Included, ApiError> {
    let mut include = Included::default();
    for name in params.text("include")?.unwrap_or_default().split(',') {
        let part = match name.trim() {
            "" => continue,
            "recent" => Include::Recent,
            "best_of" => Include::BestOf,
            "similar" => Include::Similar,
            "inspections" => Include::Inspections,
            "photos" => {
                include.photos = true;
                continue;
            }
            "articles" => {
                include.articles = true;
                continue;
            }
            "events" => {
                include.events = true;
                continue;
            }
            _ => {
                return Err(ApiError::field(
                    "include",
                    "Choose of: recent, best_of, similar, photos, inspections, articles, events.",
                ));
            }
        };
        include.parts.push(part);
    }
    include.parts.sort_unstable();
    include.parts.dedup();
    Ok(include)
}

async fn one(catalogue: Arc<Catalogue>, id: i64, include: Included) -> Result<Content, ApiError> {
    let photos = if_included(include.photos, of_listing(&catalogue, id, FIRST_PHOTOS));
    let articles = rows::articles(&catalogue, ARTICLES, |request| request.listing_id = id);
    let events = rows::events(&catalogue, EVENTS, |request| request.listing_id = id);
    let (listing, photos, articles, events) = tokio::join!(
        whole(&catalogue, id, false, &include.parts),
        photos,
        if_included(include.articles, articles),
        if_included(include.events, events),
    );
    let mut listing = listing?;
    // A response without the data of another service expires soon.
    let is_whole = photos.is_ok() && articles.is_ok() && events.is_ok();
    let retry = (!is_whole).then(|| catalogue.clock.now() + INCOMPLETE);
    let (articles, events) = (articles.ok().flatten(), events.ok().flatten());
    let days_end = events.as_ref().and_then(|row| row.until);
    let until = [listing.hours_change_at, days_end, retry];
    listing.photos = photos.ok().flatten();
    listing.articles = articles.map(|row| row.items);
    listing.events = events.map(|row| row.items);
    let content = Content::json(&listing)?;
    Ok(content.until(until.into_iter().flatten().min()))
}

/// Makes a call if its result is included.
async fn if_included<T, E>(
    is_included: bool,
    call: impl Future<Output = Result<T, E>>,
) -> Result<Option<T>, E> {
    if is_included {
        call.await.map(Some)
    } else {
        Ok(None)
    }
}

/// Fetches a place. Age-restricted content is omitted unless the reader is of age.
async fn whole(
    catalogue: &Catalogue,
    id: i64,
    of_age: bool,
    include: &[Include],
) -> Result<ListingDetail, ApiError> {
    let request = catalogue.request(GetListingRequest {
        id,
        zone: catalogue.site.timezone.name().to_owned(),
        of_age,
        include: include.iter().map(|part| (*part).into()).collect(),
    });
    let detail = catalogue.services.places().get_listing(request).await?;
    let detail = detail.into_inner();
    let is_included = |part: Include| include.contains(&part);
    let year = catalogue.this_year();
    let lists = |lists: Vec<proto::BestOfList>| {
        let lists = lists.into_iter();
        lists
            .map(|list| BestOfList::new(&catalogue.site, &year, list))
            .collect()
    };
    let first = |count: usize, mut places: Vec<proto::Listing>| {
        places.truncate(count);
        listings(&catalogue.site, places)
    };
    let listing = Listing::new(&catalogue.site, detail.listing.unwrap_or_default());
    let now = catalogue.clock.now();
    let change = detail
        .hours_change_at
        .as_ref()
        .and_then(instant::from_proto);
    let local = |at: DateTime<Utc>| at.with_timezone(&catalogue.site.timezone);
    let is_open_now = detail.is_open_now.filter(|_| !listing.is_closed);
    let open_status =
        is_open_now.map(|is_open| opening_hours::status(is_open, change.map(local), &local(now)));
    let hours = listing
        .opening_hours
        .as_deref()
        .map(opening_hours::in_words);
    Ok(ListingDetail {
        hours: hours.unwrap_or_default(),
        website_host: listing.website.as_deref().and_then(web_address::host),
        inspection_url: inspection_url(&listing),
        listing,
        review: detail.review.map(|review| Review {
            body: review.body_html,
            author: review.author,
            written_on: year.omitted_from(&dates::iso_day(&review.date)),
            date: review.date,
        }),
        open_status,
        hours_change_at: change,
        is_open_now: detail.is_open_now,
        recent: is_included(Include::Recent).then(|| first(RECENT, detail.recent)),
        best_of: is_included(Include::BestOf).then(|| lists(detail.best_of)),
        similar: is_included(Include::Similar).then(|| first(SIMILAR, detail.similar)),
        photos: None,
        articles: None,
        events: None,
        inspections: detail
            .inspections
            .map(|latest| LatestInspections::new(id, latest)),
        server_time: None,
    })
}

/// Returns the establishment's page in the city's inspection register.
fn inspection_url(listing: &Listing) -> Option<String> {
    let id = listing.dinesafe_establishment_id.as_ref();
    let id = id.filter(|id| listing.r#type.is_food && !id.is_empty())?;
    Some(format!(
        "{INSPECTIONS}{}",
        utf8_percent_encode(id, NON_ALPHANUMERIC)
    ))
}

/// A place with its review, even if its type is age-restricted.
#[utoipa::path(get, path = "/api/v2/listings/{id}/gated/", operation_id = "get_gated_listing",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = ListingDetail), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn gated(
    State(catalogue): State<Arc<Catalogue>>,
    _of_age: OfAge,
    _counted: CountedRead,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let mut answer = whole(&catalogue, id, true, &[]).await?;
    answer.server_time = Some(instant::to_rfc3339(catalogue.clock.now()));
    Ok(personal(StatusCode::OK, &answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(is_food: bool, establishment: Option<&str>) -> Listing {
        let listing = proto::Listing {
            dinesafe_establishment_id: establishment.map(str::to_owned),
            r#type: Some(proto::ListingType {
                is_food,
                ..proto::ListingType::default()
            }),
            ..proto::Listing::default()
        };
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/sites/guide.toml");
        let site = Site::read(file.as_ref()).expect("a site");
        Listing::new(&site, listing)
    }

    #[test]
    fn only_a_food_establishment_has_a_page_about_its_inspections() {
        let url = |is_food, id| inspection_url(&place(is_food, id));
        let found = url(true, Some("10/5")).expect("a page");
        assert!(
            found.ends_with("/dinesafe/#/establishment/10%2F5"),
            "{found}"
        );
        assert_eq!(url(true, None), None);
        assert_eq!(url(true, Some("")), None);
        assert_eq!(url(false, Some("105")), None);
    }
}
