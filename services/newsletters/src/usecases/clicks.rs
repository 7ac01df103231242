//! Follows links of issues and counts clicks.

use crate::{
    context::Context,
    domain::issue::{Content, Item},
    error::Error,
    store::{clicks, issues},
};

/// Returns the target of an issue's link, by its item's number. Counts the click if the site counts clicks.
///
/// # Errors
/// `NotFound` if the issue was not sent or has no such item.
pub(crate) async fn follow(context: &Context, issue_id: i64, number: i32) -> Result<String, Error> {
    let found = issues::get(&context.pool, issue_id).await?;
    let found = found.filter(|issue| issue.state.is_public());
    let contents = found
        .and_then(|issue| issue.content)
        .ok_or(Error::NoIssue)?;
    let path = item(&contents, number).ok_or(Error::NoIssue)?.path.clone();
    if context.site.counts_clicks {
        clicks::count(&context.pool, issue_id, number).await?;
    }
    Ok(path)
}

/// Returns the items of an issue and their numbers of clicks.
///
/// # Errors
/// `NotFound` if the issue does not exist.
pub(crate) async fn show_clicks(
    context: &Context,
    issue_id: i64,
) -> Result<Vec<(Item, i64)>, Error> {
    let found = issues::get(&context.pool, issue_id).await?;
    let contents = found
        .and_then(|issue| issue.content)
        .ok_or(Error::NoIssue)?;
    let counted = clicks::of_issue(&context.pool, issue_id).await?;
    let items = items(&contents).zip(1..).map(|(item, number)| {
        let mut counted = counted.iter();
        let clicks = counted.find(|clicks| clicks.number == number);
        (item.clone(), clicks.map_or(0, |clicks| clicks.count))
    });
    Ok(items.collect())
}

fn items(contents: &Content) -> impl Iterator<Item = &Item> {
    contents.sections.iter().flat_map(|section| &section.items)
}

fn item(contents: &Content, number: i32) -> Option<&Item> {
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    items(contents).nth(at)
}
