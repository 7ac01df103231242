//! `videos/`.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use editorial_proto::v1::{self as proto, Item, Kind, ListItemsRequest, item::Detail};
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
    words::{duration, this_year::ThisYear, web_address},
};

/// A video.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Video {
    #[serde(flatten)]
    pub(crate) card: Card,
    /// Address at which the video can be played; empty if it is age-restricted.
    pub(crate) source_url: String,
    /// Host of `source_url` without `www.`; null if `source_url` is not a web address.
    pub(crate) source_host: Option<String>,
    pub(crate) duration_seconds: u32,
    /// Duration, such as "1:13"; empty if unknown.
    pub(crate) duration: String,
    /// Duration for screen readers: "1 minute 13 seconds".
    pub(crate) duration_spoken: String,
    /// Sanitised HTML; only in the response for a single video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// When the content was computed; only in the response for a single video.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) server_time: Option<String>,
}

impl ItemResource for Video {
    const KIND: Kind = Kind::Video;
    const PATH: &'static str = "/api/v2/videos/";
    const KNOWN: &'static [&'static str] = &[
        "after", "ids", "keywords", "limit", "offset", "ordering", "tag",
    ];
    const FRESHNESS: Freshness = Freshness::Usual;

    fn filter(_: &Site, params: &Params, request: &mut ListItemsRequest) -> Result<(), ApiError> {
        request.tag = params.slug("tag")?;
        Ok(())
    }

    fn new(site: &Site, year: &ThisYear, mut item: Item, body: Option<String>) -> Self {
        let video = match item.detail.take() {
            Some(Detail::Video(video)) => video,
            _ => proto::Video::default(),
        };
        Self {
            card: Card::new(site, year, item),
            source_host: web_address::host(&video.url),
            source_url: video.url,
            duration_seconds: video.duration_seconds,
            duration: duration::clock(video.duration_seconds),
            duration_spoken: duration::spoken(video.duration_seconds),
            body,
            server_time: None,
        }
    }
}

/// Videos, by default newest first.
#[utoipa::path(get, path = "/api/v2/videos/", operation_id = "list_videos", tag = "catalogue",
    params(
        ("tag" = Option<String>, Query, description = "A tag's slug."),
        ("ids" = Option<String>, Query, description = "A comma list of at most 100 ids."),
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        PageParams,
    ),
    responses((status = 200, body = Page<Video>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    resource::list::<Video>(catalogue, request).await
}

/// A video with its text. The text and address of an age-restricted video are omitted.
#[utoipa::path(get, path = "/api/v2/videos/{id}/", operation_id = "get_video", tag = "catalogue",
    params(("id" = i64, Path)),
    responses((status = 200, body = Video), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::detail::<Video>(catalogue, request, id).await
}
