//! Schedules the issues of the timetable.

use chassis::error::Fault;
use chrono::TimeDelta;

use crate::{
    context::Context,
    store::issues::{self, NewIssue},
    tasks::ComposeIssue,
};

/// Maximum delay of a due issue, for example after an outage; later, it is skipped.
const LATE: TimeDelta = TimeDelta::hours(6);

/// Inserts due issues that do not exist yet; returns their number. Concurrent processes and clock changes do no harm,
/// as each slot has a single issue.
pub(crate) async fn enter_due_issues(context: &Context) -> Result<u64, Fault> {
    let now = context.clock.now();
    let mut entered = 0;
    for (kind, times) in context.timetable.iter() {
        let Some(slot) = times.last(now, context.zone) else {
            continue;
        };
        if now - slot.at > LATE {
            continue;
        }
        let name = slot.date.to_string();
        if issues::exists(&context.pool, *kind, &name).await? {
            continue;
        }
        let mut transaction = context.pool.begin().await?;
        let last = issues::last_until(&mut *transaction, *kind, slot.at).await?;
        // After a long gap, the issue covers recent content only.
        let earliest = slot.at - times.interval() * 2;
        let since = last.map_or(slot.at - times.interval(), |last| last.max(earliest));
        let issue = NewIssue {
            kind: *kind,
            slot: &name,
            since,
            until: slot.at,
            send_at: slot.at,
            draft: None,
        };
        let Some(issue_id) = issues::insert(&mut transaction, &issue, now).await? else {
            continue;
        };
        let job = ComposeIssue { issue_id };
        context.jobs.append(&mut transaction, &job).await?;
        context.jobs.commit(transaction).await?;
        entered += 1;
    }
    Ok(entered)
}
