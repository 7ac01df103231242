//! Operators' actions on issues, and their reports.

use chassis::{
    email::Email,
    error::{Code, Fault},
};
use chrono::{DateTime, TimeDelta, Utc};
use vocabulary::newsletters::Kind;

use super::compose::draw_up;
use crate::{
    context::Context,
    domain::{
        Recipient, Rendered,
        issue::{Content, Delivery, Draft, FateCount, Issue},
    },
    error::Error,
    store::{
        deliveries,
        issues::{self, NewIssue},
        subscribers, suppressions,
    },
    tasks::ComposeIssue,
};

/// Maximum number of issues shown.
const SHOWN: i64 = 30;
/// Maximum number of deliveries shown for an address.
const FATES: i64 = 1_000;
/// Maximum time in the future for which an issue can be scheduled.
const AHEAD: TimeDelta = TimeDelta::days(366);
/// Placeholder token in links of previews.
const NOBODY: &str = "preview";

pub(super) fn refused(why: String) -> Fault {
    Fault::invalid_field("text_markdown", why)
}

/// Returns the content of the next issue if it were composed now; `None` if there is nothing new.
pub(crate) async fn preview(context: &Context, kind: Kind) -> Result<Option<Content>, Error> {
    let Some(times) = context.timetable.get(kind) else {
        return Ok(None);
    };
    let now = context.clock.now();
    let last = issues::last_until(&context.pool, kind, now).await?;
    let since = last.unwrap_or(now - times.interval());
    draw_up(context, kind, (since, now)).await
}

/// Renders an issue without a real recipient, as HTML and text.
pub(crate) fn shown(
    context: &Context,
    kind: Kind,
    contents: &Content,
) -> Result<(String, String), Error> {
    let rendered = Rendered::new(&context.site, kind, None, contents, None).map_err(refused)?;
    let to = Recipient {
        email: "reader@example.com",
        token: NOBODY,
    };
    let mail = rendered.mail(to);
    let mail = mail.ok_or_else(|| Fault::new(Code::Internal, "a letter has no address"))?;
    Ok((mail.html.unwrap_or_default(), mail.text))
}

/// Emails an issue to an address, even if it is not subscribed.
pub(crate) async fn send_test(
    context: &Context,
    kind: Kind,
    contents: &Content,
    to: &Email,
) -> Result<(), Error> {
    let rendered = Rendered::new(&context.site, kind, None, contents, None).map_err(refused)?;
    let to = Recipient {
        email: to.as_str(),
        token: NOBODY,
    };
    let mail = rendered.mail(to);
    let mail = mail.ok_or_else(|| Fault::invalid_field("email", "No mail server takes it."))?;
    let mut transaction = context.pool.begin().await?;
    context.jobs.append(&mut transaction, &mail).await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}

/// Schedules an issue written by an operator; its name becomes its slot.
///
/// # Errors
/// `Invalid` by field; `AlreadyExists` if the newsletter has an issue with this name.
pub(crate) async fn schedule(
    context: &Context,
    kind: Kind,
    name: &str,
    draft: &Draft,
    send_at: DateTime<Utc>,
) -> Result<i64, Error> {
    let now = context.clock.now();
    if send_at > now + AHEAD {
        return Err(Fault::invalid_field("send_at", "It is more than a year ahead.").into());
    }
    let send_at = send_at.max(now);
    // Reports rendering errors before the issue is scheduled.
    Rendered::new(&context.site, kind, None, &draft.content(), None).map_err(refused)?;
    let issue = NewIssue {
        kind,
        slot: name,
        since: send_at,
        until: send_at,
        send_at,
        draft: Some(draft),
    };
    let mut transaction = context.pool.begin().await?;
    let entered = issues::insert(&mut transaction, &issue, now).await?;
    let issue_id = entered.ok_or_else(|| {
        Fault::new(
            Code::Conflict,
            format!("{} has an issue {name:?}", kind.name()),
        )
    })?;
    let delay = (send_at - now).to_std().unwrap_or_default();
    let job = ComposeIssue { issue_id };
    let queue = &context.jobs;
    queue
        .append_for_later(&mut transaction, &job, delay)
        .await?;
    context.jobs.commit(transaction).await?;
    Ok(issue_id)
}

/// Cancels an issue that is scheduled or being sent. Emails that the mail server has accepted are still delivered.
pub(crate) async fn cancel(context: &Context, id: i64) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let now = context.clock.now();
    if !issues::cancel(&mut transaction, id, now).await? {
        return Err(Error::NoIssue);
    }
    deliveries::withdraw(&mut transaction, id, now).await?;
    transaction.commit().await?;
    Ok(())
}

/// Returns the latest issues with the outcomes of their deliveries.
pub(crate) async fn status(context: &Context) -> Result<Vec<(Issue, Vec<FateCount>)>, Error> {
    let mut all = Vec::new();
    for issue in issues::latest(&context.pool, SHOWN).await? {
        let counts = deliveries::counts(&context.pool, issue.id).await?;
        all.push((issue, counts));
    }
    Ok(all)
}

/// Outcomes of deliveries to an address, and the reason if it is undeliverable.
#[derive(Debug)]
pub(crate) struct Fates {
    pub(crate) deliveries: Vec<Delivery>,
    pub(crate) suppressed: Option<String>,
}

/// Returns the outcomes of deliveries to an address.
pub(crate) async fn fates(context: &Context, email: &Email) -> Result<Fates, Error> {
    let key = email.key();
    let mut found = Vec::new();
    for subscriber in subscribers::of_address(&context.pool, &key).await? {
        found.extend(deliveries::of_subscriber(&context.pool, subscriber.id, 0, FATES).await?);
    }
    let hash = context.addresses.hash(&key);
    Ok(Fates {
        deliveries: found,
        suppressed: suppressions::reason(&context.pool, &hash).await?,
    })
}
