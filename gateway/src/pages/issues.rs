//! Sent newsletter issues: a list page, and a page for each issue, which shows its email in a browser.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use cityguide_proto::paging::v1::PageRequest;
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION},
};
use maud::{Markup, html};
use newsletters_proto::v1::{FollowLinkRequest, GetIssueRequest, ListIssuesRequest};
use site::Site;

use super::{mailed::Mailed, shell::Shell};
use crate::{
    edge::{error::ApiError, id::Id, limits::CountedRead, params::Params},
    state::AppState,
    v2::newsletters::issues::Issue,
};

const ALL: &str = "/newsletters/issues/";
const ONE: &str = "/newsletters/issues/{id}/";
/// A link in an issue's email, which counts clicks.
const LINK: &str = "/newsletters/issues/{id}/{number}/";

/// Number of issues per page.
const PAGE: u32 = 50;

/// An email has its own styles and may show pictures from any origin. Scripts are blocked.
const LETTER: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; img-src 'self' https:; style-src 'unsafe-inline'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);
const SHARED: HeaderValue =
    HeaderValue::from_static("public, max-age=0, s-maxage=60, stale-while-revalidate=600");

pub(crate) fn router(app: AppState, shell: Arc<Shell>) -> Router<AppState> {
    Router::new()
        .route(ALL, get(all))
        .route(ONE, get(one))
        .route(LINK, get(follow))
        .with_state(Mailed::new(app, shell))
}

async fn all(State(state): State<Mailed>, _counted: CountedRead, params: Params) -> Response {
    match list(&state, &params).await {
        Ok(content) => {
            let mut response = state.page(StatusCode::OK, "Earlier issues", &content);
            response.headers_mut().insert(CACHE_CONTROL, SHARED);
            response
        }
        Err(error) if error.status() == StatusCode::BAD_REQUEST => {
            state.page(error.status(), "Not found", &no_such("page"))
        }
        Err(error) => state.failed(&error),
    }
}

async fn list(state: &Mailed, params: &Params) -> Result<Markup, ApiError> {
    let after = params.text("after")?.unwrap_or_default();
    let services = state.services();
    let request = services
        .call(chassis::call::Caller::Guest)
        .request(ListIssuesRequest {
            page: Some(PageRequest {
                limit: PAGE,
                after: after.to_owned(),
                ..PageRequest::default()
            }),
        });
    let found = services.archive().list_issues(request).await?.into_inner();
    let next = found.page.and_then(|page| page.next_after);
    let year = state.this_year();
    let issues: Vec<_> = found
        .issues
        .into_iter()
        .map(|issue| Issue::new(state.site(), &year, issue))
        .collect();
    Ok(html! {
        @if issues.is_empty() {
            p class="Mailed_text" { "No issue has been sent yet." }
        }
        ul class="Mailed_list" {
            @for issue in &issues {
                li class="Mailed_item" {
                    a class="Mailed_name" href=(issue.share_url) { (issue.subject) }
                    span class="Mailed_detail" {
                        (issue.title)
                        @if let Some(day) = &issue.sent_on { " · " (day) }
                    }
                }
            }
        }
        @if let Some(next) = next {
            p class="Mailed_text" { a href={ (ALL) "?after=" (next) } { "Older issues" } }
        }
        p class="Mailed_text" { a href="/newsletters/" { "Get them by email" } }
    })
}

async fn one(
    State(state): State<Mailed>,
    _counted: CountedRead,
    id: Result<Id, ApiError>,
) -> Response {
    let found = match id {
        Ok(Id(id)) => {
            let services = state.services();
            let request = services.call(chassis::call::Caller::Guest);
            let request = request.request(GetIssueRequest { id });
            services
                .archive()
                .get_issue(request)
                .await
                .map_err(ApiError::from)
        }
        Err(error) => Err(error),
    };
    match found {
        Ok(found) => {
            let html = below_header(state.site(), &found.into_inner().html);
            let mut response = Html(html).into_response();
            let headers = response.headers_mut();
            headers.insert(CONTENT_SECURITY_POLICY, LETTER);
            headers.insert(CACHE_CONTROL, SHARED);
            response
        }
        Err(error) if error.status() == StatusCode::NOT_FOUND => {
            state.page(StatusCode::NOT_FOUND, "Not found", &no_such("issue"))
        }
        Err(error) => state.failed(&error),
    }
}

/// Adds the site's header to the document of an email, which has its own styles.
fn below_header(site: &Site, letter: &str) -> String {
    let body = letter.find("<body").unwrap_or_default();
    let begin = letter[body..].find('>').map_or(0, |end| body + end + 1);
    let entries = site.navigation.iter().filter(|entry| entry.href != "/");
    let header = html! {
        header style="display:flex;gap:20px;align-items:baseline;max-width:552px;margin:0 auto;padding:12px 24px;border-bottom:1px solid #80868b;overflow-x:auto;white-space:nowrap;font:15px system-ui,sans-serif" {
            a href="/" style="color:inherit;font:700 24px Georgia,serif;text-decoration:none" { (site.name) }
            @for entry in entries {
                a href=(entry.href) style="color:inherit;text-decoration:none" { (entry.label) }
            }
        }
    };
    let (before, after) = letter.split_at(begin);
    format!("{before}{}{after}", header.into_string())
}

async fn follow(
    State(state): State<Mailed>,
    _counted: CountedRead,
    Path((id, number)): Path<(String, String)>,
) -> Response {
    let found = match (id.parse(), number.parse()) {
        (Ok(issue_id), Ok(number)) => {
            let services = state.services();
            let request = services.call(chassis::call::Caller::Guest);
            let request = request.request(FollowLinkRequest { issue_id, number });
            let found = services.archive().follow_link(request).await;
            found.map_err(ApiError::from)
        }
        _ => Err(ApiError::not_found()),
    };
    let path = found.map(|found| HeaderValue::try_from(found.into_inner().path));
    match path {
        Ok(Ok(path)) => {
            let private = HeaderValue::from_static("private, no-store");
            let headers = [(LOCATION, path), (CACHE_CONTROL, private)];
            (StatusCode::FOUND, headers).into_response()
        }
        Err(error) if error.status() != StatusCode::NOT_FOUND => state.failed(&error),
        _ => state.page(StatusCode::NOT_FOUND, "Not found", &no_such("link")),
    }
}

fn no_such(thing: &str) -> Markup {
    html! {
        p class="Mailed_text" { "There is no such " (thing) "." }
        p class="Mailed_text" { a href=(ALL) { "Earlier issues" } }
    }
}
