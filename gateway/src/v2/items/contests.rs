//! `contests/`.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chassis::instant;
use chrono::{DateTime, Utc};
use cityguide_proto::editorial::v1::{self as proto, Item, Kind, item::Detail};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Card;
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::Page,
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    v2::{call::PublicCall, time},
};

const PATH: &str = "/api/v2/contests/";

/// The query parameters of the list.
pub(in crate::v2) const KNOWN: &[&str] =
    &["after", "ids", "keywords", "limit", "offset", "ordering"];

/// A contest.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Contest {
    #[serde(flatten)]
    pub(crate) card: Card,
    /// Entries are taken from this instant on …
    #[schema(format = DateTime)]
    pub(crate) opens_at: Option<String>,
    /// … until this one.
    #[schema(format = DateTime)]
    pub(crate) closes_at: Option<String>,
    pub(crate) has_closed: bool,
    pub(crate) question: String,
    /// Sanitised HTML.
    pub(crate) rules: String,
    /// Sanitised HTML, of a single contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed, of a single contest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl Contest {
    fn of(mut item: Item, body: Option<String>) -> Self {
        let contest = match item.detail.take() {
            Some(Detail::Contest(contest)) => contest,
            _ => proto::Contest::default(),
        };
        Self {
            card: item.into(),
            opens_at: time::text(contest.opens_at.as_ref()),
            closes_at: time::text(contest.closes_at.as_ref()),
            has_closed: contest.has_closed,
            question: contest.question,
            rules: contest.rules,
            body,
            server_time: None,
        }
    }
}

/// When a contest that is open says that it has closed.
fn closes_at(item: &Item) -> Option<DateTime<Utc>> {
    match &item.detail {
        Some(Detail::Contest(contest)) if !contest.has_closed => {
            contest.closes_at.as_ref().and_then(instant::from_proto)
        }
        _ => None,
    }
}

/// The call of a page of contests.
pub(crate) fn list_call(query: &[(&str, &str)]) -> PublicCall<Page<Contest>> {
    PublicCall::new(PATH, query)
}

/// The call of a contest.
pub(crate) fn detail_call(id: i64) -> PublicCall<Contest> {
    PublicCall::new(&format!("{PATH}{id}/"), &[])
}

/// Contests, the newest first unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/contests/", operation_id = "list_contests", tag = "catalogue",
    params(
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        ("offset" = Option<u32>, Query, description = "0 to 10,000; deeper by following next."),
        ("limit" = Option<u32>, Query, description = "1 to 100; 12 where absent."),
        ("after" = Option<String>, Query, description = "From next, as it is."),
    ),
    responses((status = 200, body = Page<Contest>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Items]);
    catalogue
        .serve(&request, key, Freshness::Short, |catalogue| {
            page(catalogue, params)
        })
        .await
}

async fn page(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let (answer, page) = super::list(&catalogue, &params, Kind::Contest, |_| Ok(())).await?;
    let closes = answer.items.iter().filter_map(closes_at).min();
    let contests = answer.items.into_iter();
    let contests = contests.map(|item| Contest::of(item, None));
    let answer = Page::of(contests.collect(), answer.page, &page, &params, PATH);
    Ok(Content::json(&answer)?.until(closes))
}

/// One contest with its text.
#[utoipa::path(get, path = "/api/v2/contests/{id}/", operation_id = "get_contest", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Contest), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(PATH, id, &[]).tagged(Tag::Item(id));
    catalogue
        .serve(&request, key, Freshness::Short, move |catalogue| {
            one(catalogue, id)
        })
        .await
}

async fn one(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let detail = super::get(&catalogue, Kind::Contest, id, false).await?;
    let item = detail.item.unwrap_or_default();
    let closes = closes_at(&item);
    let contest = Contest::of(item, Some(detail.body_html));
    Ok(Content::json(&contest)?.until(closes))
}
