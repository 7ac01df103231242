//! Composes issues from content published since the previous issue.

use std::collections::HashSet;

use chassis::error::Fault;
use chrono::{DateTime, TimeDelta, Utc};
use vocabulary::newsletters::Kind;

use crate::{
    context::Context,
    domain::{
        Rendered,
        composing::fresh,
        issue::{Content, Item, Section},
    },
    error::Error,
    store::issues,
    tasks::ListRecipients,
};

/// Items are not repeated within this time.
const REMEMBERED: TimeDelta = TimeDelta::days(60);
/// Tolerance for content that appears after the last issue although it was published before it.
const LATE: TimeDelta = TimeDelta::hours(1);
/// Period of future events in a newsletter.
pub(super) const AHEAD: TimeDelta = TimeDelta::days(7);

/// Composes a scheduled issue and starts sending it if it has content.
pub(crate) async fn compose(context: &Context, issue_id: i64) -> Result<(), Error> {
    let Some(issue) = issues::get(&context.pool, issue_id).await? else {
        return Ok(());
    };
    let contents = match &issue.draft {
        Some(draft) => Some(draft.content()),
        None => draw_up(context, issue.kind, (issue.since, issue.until)).await?,
    };
    let mut transaction = context.pool.begin().await?;
    let now = context.clock.now();
    // Another worker may have composed the issue, or an operator may have cancelled it.
    if !issues::compose(&mut transaction, issue_id, contents.as_ref(), now).await? {
        return Ok(());
    }
    if contents.is_some() {
        let job = ListRecipients { issue_id };
        context.jobs.append(&mut transaction, &job).await?;
    }
    context.jobs.commit(transaction).await?;
    let outcome = if contents.is_some() {
        "composed"
    } else {
        "empty"
    };
    metrics::counter!("newsletter_issues_total", "kind" => issue.kind.name(), "outcome" => outcome)
        .increment(1);
    Ok(())
}

/// Returns the content of an issue for a period; `None` if there is nothing new.
pub(crate) async fn draw_up(
    context: &Context,
    kind: Kind,
    (since, until): (DateTime<Utc>, DateTime<Utc>),
) -> Result<Option<Content>, Error> {
    let brought = issues::brought(&context.pool, kind, since - REMEMBERED).await?;
    let since = since - LATE;
    let sections = match kind {
        Kind::News => vec![articles(context, "", since, until, &brought).await?],
        Kind::Events => {
            let events = context.editorial.events(until, until + AHEAD).await?;
            vec![section("", fresh(events, &brought))]
        }
        Kind::Foods => {
            let places = context.editorial.places(since, until).await?;
            let mut sections = named(context, kind, since, until, &brought).await?;
            sections.push(section("New places", fresh(places, &brought)));
            sections
        }
        Kind::RealEstate | Kind::Travel => named(context, kind, since, until, &brought).await?,
        // These newsletters are written manually.
        Kind::Contests | Kind::PhotoChallengeAlerts | Kind::Promotions => Vec::new(),
    };
    let contents = Content::of(sections);
    if let Some(contents) = &contents {
        Rendered::new(&context.site, kind, None, contents, None)
            .map_err(|why| unrenderable(&why))?;
    }
    Ok(contents)
}

/// Returns the articles of a newsletter's sections.
async fn named(
    context: &Context,
    kind: Kind,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    brought: &HashSet<String>,
) -> Result<Vec<Section>, Fault> {
    let mut all = Vec::new();
    for slug in context.sections.get(kind) {
        all.push(articles(context, slug, since, until, brought).await?);
    }
    Ok(all)
}

async fn articles(
    context: &Context,
    slug: &str,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    brought: &HashSet<String>,
) -> Result<Section, Fault> {
    let articles = context.editorial.articles(slug, since, until).await?;
    Ok(section("", fresh(articles, brought)))
}

fn section(heading: &str, items: Vec<Item>) -> Section {
    Section {
        heading: heading.to_owned(),
        items,
    }
}

pub(super) fn unrenderable(why: &str) -> Fault {
    Fault::new(
        chassis::error::Code::Internal,
        format!("an issue cannot be rendered: {why}"),
    )
}
