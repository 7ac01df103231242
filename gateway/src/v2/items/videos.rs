//! `videos/`.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use cityguide_proto::editorial::v1::{self as proto, Item, ItemDetail, Kind, item::Detail};
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
    v2::call::PublicCall,
};

const PATH: &str = "/api/v2/videos/";

/// The query parameters of the list.
pub(in crate::v2) const KNOWN: &[&str] = &[
    "after", "ids", "keywords", "limit", "offset", "ordering", "tag",
];

/// A video.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Video {
    #[serde(flatten)]
    pub(crate) card: Card,
    /// Where it plays; empty where it is age-restricted.
    pub(crate) source_url: String,
    pub(crate) duration_seconds: u32,
    /// Sanitised HTML, of a single video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed, of a single video.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl Video {
    fn of(mut item: Item, body: Option<String>) -> Self {
        let video = match item.detail.take() {
            Some(Detail::Video(video)) => video,
            _ => proto::Video::default(),
        };
        Self {
            card: item.into(),
            source_url: video.url,
            duration_seconds: video.duration_seconds,
            body,
            server_time: None,
        }
    }

    /// A video with its text.
    pub(crate) fn whole(detail: ItemDetail) -> Self {
        Self::of(detail.item.unwrap_or_default(), Some(detail.body_html))
    }
}

/// The call of a page of videos.
pub(crate) fn list_call(query: &[(&str, &str)]) -> PublicCall<Page<Video>> {
    PublicCall::new(PATH, query)
}

/// The call of a video.
pub(crate) fn detail_call(id: i64) -> PublicCall<Video> {
    PublicCall::new(&format!("{PATH}{id}/"), &[])
}

/// Videos, the newest first unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/videos/", operation_id = "list_videos", tag = "catalogue",
    params(
        ("tag" = Option<String>, Query, description = "A tag's slug."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        ("offset" = Option<u32>, Query, description = "0 to 10,000; deeper by following next."),
        ("limit" = Option<u32>, Query, description = "1 to 100; 12 where absent."),
        ("after" = Option<String>, Query, description = "From next, as it is."),
    ),
    responses((status = 200, body = Page<Video>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Items]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            page(catalogue, params)
        })
        .await
}

async fn page(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let (answer, page) = super::list(&catalogue, &params, Kind::Video, |request| {
        request.tag = params.slug("tag")?;
        Ok(())
    })
    .await?;
    let videos = answer.items.into_iter().map(|item| Video::of(item, None));
    let answer = Page::of(videos.collect(), answer.page, &page, &params, PATH);
    Content::json(&answer)
}

/// One video with its text; an age-restricted one with neither text nor address.
#[utoipa::path(get, path = "/api/v2/videos/{id}/", operation_id = "get_video", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Video), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(PATH, id, &[]).tagged(Tag::Item(id));
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            one(catalogue, id)
        })
        .await
}

async fn one(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let detail = super::get(&catalogue, Kind::Video, id, false).await?;
    Content::json(&Video::whole(detail))
}
