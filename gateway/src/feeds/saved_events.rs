//! `/calendar/{secret}.ics`: a feed of a reader's saved events. Calendar programs cannot log in, so anyone with the
//! address can read the feed.

use std::collections::HashMap;

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use bookmarks_proto::v1::{Bookmark, ListBookmarksRequest};
use chassis::{
    call::{Call, Caller},
    digest,
    error::Fault,
};
use cityguide_proto::paging::v1::PageRequest;
use editorial_proto::v1::GetCalendarEventsRequest;
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
};
use identity_proto::v1::FindFeedReaderRequest;
use vocabulary::saved::Kind;

use crate::{
    calendar::{FeedEntry, feed},
    edge::{error::ApiError, limits::Client},
    services::Clients,
    state::AppState,
};

/// The route. Spans and metrics use it instead of the path, so that they do not contain the secret.
pub(super) const PATH: &str = "/calendar/{file}";
/// Maximum number of events in a feed, most recently saved first.
const MAX: usize = 500;
/// Number of events per service call.
const PAGE: u32 = 100;
/// Length of a secret: 256 bits in base64.
const SECRET: usize = 43;

const CALENDAR: HeaderValue = HeaderValue::from_static("text/calendar; charset=utf-8");
/// The calendar program may store the feed but must revalidate it.
const ASKED_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const NOT_INDEXED: HeaderValue = HeaderValue::from_static("noindex");

/// GET `/calendar/{secret}.ics`.
pub(super) async fn saved_events(
    State(state): State<AppState>,
    client: Client,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let secret = file.strip_suffix(".ics");
    let secret = secret.filter(|secret| secret.len() == SECRET);
    let secret = secret.ok_or_else(ApiError::not_found)?.to_owned();
    client.count_read(&state.limits).await?;
    let services = &state.services;
    let request = services
        .call(Caller::Guest)
        .request(FindFeedReaderRequest { secret });
    let reader = services.calendar_feeds().find_feed_reader(request).await?;
    let reader = Caller::Reader(reader.into_inner().profile_id);
    let entries = saved(services, &services.call(reader)).await?;
    let name = format!("{}: saved events", state.site.name);
    Ok(answer(&headers, feed(&name, &state.origin, &entries)))
}

/// Returns the reader's saved events, most recently saved first.
async fn saved(services: &Clients, call: &Call) -> Result<Vec<FeedEntry>, Fault> {
    let mut entries = Vec::new();
    let mut after = String::new();
    while entries.len() < MAX {
        let request = call.request(ListBookmarksRequest {
            kind: Kind::EventBookmarks.name().to_owned(),
            page: Some(PageRequest {
                limit: PAGE,
                after,
                ..PageRequest::default()
            }),
            is_done: None,
        });
        let listed = services.bookmarks().list_bookmarks(request).await?;
        let listed = listed.into_inner();
        entries.extend(events(services, call, &listed.bookmarks).await?);
        match listed.page.and_then(|page| page.next_after) {
            Some(next) => after = next,
            None => break,
        }
    }
    Ok(entries)
}

/// Returns the events of a page of bookmarks, in its order.
async fn events(
    services: &Clients,
    call: &Call,
    bookmarks: &[Bookmark],
) -> Result<Vec<FeedEntry>, Fault> {
    let ids: Vec<i64> = bookmarks.iter().map(|one| one.target_id).collect();
    let request = call.request(GetCalendarEventsRequest { ids });
    let found = services.editorial().get_calendar_events(request).await?;
    let found = found.into_inner().events.into_iter();
    let mut found: HashMap<i64, _> = found
        .map(|event| (event.item.as_ref().map_or(0, |item| item.id), event))
        .collect();
    let saved = bookmarks.iter();
    let saved = saved.filter_map(|bookmark| found.remove(&bookmark.target_id));
    saved.map(FeedEntry::new).collect()
}

/// Returns the feed, or 304 if the client has the current version.
fn answer(headers: &HeaderMap, text: String) -> Response {
    // Weak, because the response may be compressed later.
    let tag = format!("W/\"{}\"", digest::hex(&text, 16));
    let is_known = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|known| matches!(known.trim(), "*") || known.trim() == tag);
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, CALENDAR)], text).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, ASKED_AGAIN);
    headers.insert(ROBOTS, NOT_INDEXED);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}
