//! `newsletters/issues/`: sent newsletter issues, available to everyone.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use newsletters_proto::v1::{ArchivedIssue, GetIssueRequest, ListIssuesRequest};
use serde::Serialize;
use site::Site;
use utoipa::ToSchema;
use vocabulary::newsletters::Kind;

use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        id::Id,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest},
    },
    v2::time,
    words::{dates, this_year::ThisYear},
};

const PATH: &str = "/api/v2/newsletters/issues/";

/// Query parameters of the list.
pub(in crate::v2) const KNOWN: &[&str] = &["after", "limit", "offset", "ordering"];

/// A sent issue of a newsletter.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Issue {
    id: i64,
    /// Name of the newsletter, as in the settings.
    kind: String,
    /// Title of the newsletter.
    pub(crate) title: &'static str,
    pub(crate) subject: String,
    pub(crate) preheader: String,
    /// Path of the object's page.
    pub(crate) share_url: String,
    #[schema(format = DateTime)]
    date_sent: Option<String>,
    /// The date of `date_sent` in the site's time zone, in words.
    pub(crate) sent_on: Option<String>,
}

impl Issue {
    /// Converts an issue from the service.
    pub(crate) fn new(site: &Site, year: &ThisYear, issue: ArchivedIssue) -> Self {
        let sent = time::text(issue.sent_at.as_ref());
        Self {
            id: issue.id,
            title: Kind::named(&issue.kind).map_or("", Kind::title),
            kind: issue.kind,
            subject: issue.subject,
            preheader: issue.preheader,
            share_url: format!("/newsletters/issues/{}/", issue.id),
            sent_on: dates::day_of(sent.as_deref(), site.timezone)
                .map(|day| year.omitted_from(&day)),
            date_sent: sent,
        }
    }
}

/// An issue with its content.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IssueDetail {
    #[serde(flatten)]
    issue: Issue,
    /// A complete HTML document without scripts and without personal data.
    html: String,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// Sent newsletter issues, latest first.
#[utoipa::path(get, path = "/api/v2/newsletters/issues/", operation_id = "list_newsletter_issues", tag = "newsletters",
    params(
        ("ordering" = Option<String>, Query, pattern = "^(-?date_sent)?$", description = "date_sent; - descends."),
        PageParams,
    ),
    responses((status = 200, body = Page<Issue>), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            page(catalogue, params)
        })
        .await
}

async fn page(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let page = params.page()?;
    let request = catalogue.request(ListIssuesRequest {
        page: Some(page.clone()),
    });
    let answer = catalogue.services.archive().list_issues(request).await?;
    let answer = answer.into_inner();
    let issues = answer.issues.into_iter();
    let year = catalogue.this_year();
    let results = issues.map(|issue| Issue::new(&catalogue.site, &year, issue));
    Content::json(&Page::new(
        results.collect(),
        answer.page,
        &page,
        &params,
        PATH,
    ))
}

/// A newsletter issue with its content.
#[utoipa::path(get, path = "/api/v2/newsletters/issues/{id}/", operation_id = "get_newsletter_issue", tag = "newsletters",
    params(("id" = i64, Path)),
    responses((status = 200, body = IssueDetail), (status = 304), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(PATH, id, &[]);
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            one(catalogue, id)
        })
        .await
}

async fn one(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let request = catalogue.request(GetIssueRequest { id });
    let found = catalogue.services.archive().get_issue(request).await?;
    let found = found.into_inner();
    Content::json(&IssueDetail {
        issue: Issue::new(
            &catalogue.site,
            &catalogue.this_year(),
            found.issue.unwrap_or_default(),
        ),
        html: found.html,
        server_time: None,
    })
}
