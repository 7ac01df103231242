//! Public issues.

use std::sync::Arc;

use chassis::{error::Fault, paging::Page};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};

use super::compose::unrenderable;
use crate::{
    context::Context,
    domain::{issue::Issue, rendering},
    error::Error,
    store::issues,
};

/// Returns a page of issues.
pub(crate) async fn list_issues(
    context: &Context,
    page: Option<&PageRequest>,
) -> Result<(Vec<Issue>, PageInfo), Error> {
    let page = Page::parse(page, issues::ORDERINGS)?.with_key(issues::key_type)?;
    let count = issues::archived_count(&context.pool).await?;
    let rows = issues::archived(&context.pool, &page).await?;
    Ok(page.finish(rows, count, issues::cursor))
}

/// Returns an issue and its page.
///
/// # Errors
/// `NotFound` if the issue is neither sent nor being sent.
pub(crate) async fn get_issue(context: &Context, id: i64) -> Result<(Issue, Arc<str>), Error> {
    let found = issues::get(&context.pool, id).await?;
    let found = found.filter(|issue| issue.state.is_public());
    let issue = found.ok_or(Error::NoIssue)?;
    let Some(contents) = &issue.content else {
        return Err(Error::NoIssue);
    };
    let html = async {
        let html = rendering::page(&context.site, issue.kind, contents);
        html.map(Arc::from).map_err(|why| unrenderable(&why))
    };
    // An import can change an imported issue, and its time then.
    let key = (id, issue.finished_at);
    let html = context.pages.try_get_with(key, html).await;
    let html = html.map_err(|fault: Arc<Fault>| fault.as_ref().clone())?;
    Ok((issue, html))
}
