//! Lists the recipients of an issue.

use crate::{
    context::Context,
    error::Error,
    store::{deliveries, issues},
    tasks::{ListRecipients, SendIssue},
};

/// Number of recipients in a part, which one worker sends to.
const PART: i64 = 100;

/// Queues an issue for its recipients in parts. A new worker continues after the last part.
pub(crate) async fn list_recipients(context: &Context, job: &ListRecipients) -> Result<(), Error> {
    let issue_id = job.issue_id;
    loop {
        let mut transaction = context.pool.begin().await?;
        let listing = issues::lock_listing(&mut transaction, issue_id).await?;
        let Some((kind, after)) = listing else {
            return Ok(());
        };
        let part = deliveries::subscribers_after(&mut transaction, kind, after, PART).await?;
        let now = context.clock.now();
        let until = part.last().copied();
        if let Some(until) = until {
            deliveries::insert(&mut transaction, issue_id, &part, now).await?;
            let job = SendIssue {
                issue_id,
                after,
                until,
            };
            context.jobs.append(&mut transaction, &job).await?;
        }
        issues::set_listed(&mut transaction, issue_id, until).await?;
        context.jobs.commit(transaction).await?;
        if until.is_none() {
            // All deliveries may already have been made.
            issues::finish(&context.pool, issue_id, now).await?;
            return Ok(());
        }
    }
}
