//! `contests/`.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chassis::instant;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use editorial_proto::v1::{self as proto, Item, Kind, ListItemsRequest, item::Detail};
use prost_types::Timestamp;
use serde::{Deserialize, Serialize};
use site::Site;
use utoipa::ToSchema;

use super::{
    Card,
    resource::{self, ItemResource},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{Freshness, PublicRequest},
    },
    v2::time,
    words::{dates, this_year::ThisYear},
};

/// A contest.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Contest {
    #[serde(flatten)]
    pub(crate) card: Card,
    /// Start of the entry period.
    #[schema(format = DateTime)]
    pub(crate) opens_at: Option<String>,
    /// End of the entry period.
    #[schema(format = DateTime)]
    pub(crate) closes_at: Option<String>,
    /// `opens_at` in words, in the site's time zone: "Friday, November 20 at 8:00 p.m.". The current year is
    /// omitted.
    pub(crate) opens_on: Option<String>,
    /// `closes_at` in words; midnight is given with the date of the day before it.
    pub(crate) closes_on: Option<String>,
    pub(crate) has_closed: bool,
    pub(crate) question: String,
    /// Sanitised HTML.
    pub(crate) rules: String,
    /// Sanitised HTML; only in the response for a single contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed; only in the response for a single contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl ItemResource for Contest {
    const KIND: Kind = Kind::Contest;
    const PATH: &'static str = "/api/v2/contests/";
    const KNOWN: &'static [&'static str] =
        &["after", "ids", "keywords", "limit", "offset", "ordering"];
    const FRESHNESS: Freshness = Freshness::Short;

    fn filter(_: &Site, _: &Params, _: &mut ListItemsRequest) -> Result<(), ApiError> {
        Ok(())
    }

    fn new(site: &Site, year: &ThisYear, mut item: Item, body: Option<String>) -> Self {
        let contest = match item.detail.take() {
            Some(Detail::Contest(contest)) => contest,
            _ => proto::Contest::default(),
        };
        let words = |at: Option<&Timestamp>, say: fn(&DateTime<Tz>) -> String| {
            let at = instant::from_proto(at?)?.with_timezone(&site.timezone);
            Some(year.omitted_from(&say(&at)))
        };
        Self {
            card: Card::new(site, year, item),
            opens_on: words(contest.opens_at.as_ref(), dates::moment),
            closes_on: words(contest.closes_at.as_ref(), dates::closing),
            opens_at: time::text(contest.opens_at.as_ref()),
            closes_at: time::text(contest.closes_at.as_ref()),
            has_closed: contest.has_closed,
            question: contest.question,
            rules: contest.rules,
            body,
            server_time: None,
        }
    }

    /// An open contest changes when it closes.
    fn changes_at(item: &Item) -> Option<DateTime<Utc>> {
        match &item.detail {
            Some(Detail::Contest(contest)) if !contest.has_closed => {
                contest.closes_at.as_ref().and_then(instant::from_proto)
            }
            _ => None,
        }
    }
}

/// Contests, by default newest first.
#[utoipa::path(get, path = "/api/v2/contests/", operation_id = "list_contests", tag = "catalogue",
    params(
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        PageParams,
    ),
    responses((status = 200, body = Page<Contest>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    resource::list::<Contest>(catalogue, request).await
}

/// A contest with its text.
#[utoipa::path(get, path = "/api/v2/contests/{id}/", operation_id = "get_contest", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Contest), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::detail::<Contest>(catalogue, request, id).await
}
