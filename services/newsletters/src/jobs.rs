//! Durable jobs.

use std::time::Duration;

use chassis::{
    email::Email,
    postgres::jobs::{Failure, Policy, Run},
};
use chrono::TimeDelta;

use crate::{
    context::Context,
    tasks::{AskToConfirm, ComposeIssue, ListRecipients, SendIssue},
    usecases::{
        self,
        send::{Sent, send},
    },
};

pub(crate) const ASK_TO_CONFIRM: Policy = Policy {
    concurrency: 4,
    timeout: Duration::from_secs(30),
    attempts: 20,
    first_pause: TimeDelta::seconds(1),
    longest_pause: TimeDelta::minutes(5),
};

/// Asks the owner of an address to confirm the requested newsletters.
pub(crate) async fn ask_to_confirm(
    context: Context,
    _: Run,
    job: AskToConfirm,
) -> Result<(), Failure> {
    let email = Email::parse(&job.email).map_err(Failure::Permanent)?;
    let asked = usecases::ask_to_confirm::ask_to_confirm(&context, &email).await;
    asked.map_err(|error| Failure::of(error.into()))
}

pub(crate) const COMPOSE_ISSUE: Policy = Policy {
    concurrency: 2,
    timeout: Duration::from_mins(1),
    attempts: 20,
    first_pause: TimeDelta::seconds(5),
    longest_pause: TimeDelta::minutes(10),
};

pub(crate) async fn compose_issue(
    context: Context,
    _: Run,
    job: ComposeIssue,
) -> Result<(), Failure> {
    let composed = usecases::compose::compose(&context, job.issue_id).await;
    composed.map_err(|error| Failure::of(error.into()))
}

/// Listing a million recipients takes minutes; another attempt continues where the last one ended.
pub(crate) const LIST_RECIPIENTS: Policy = Policy {
    concurrency: 1,
    timeout: Duration::from_mins(10),
    attempts: 100,
    first_pause: TimeDelta::seconds(5),
    longest_pause: TimeDelta::minutes(5),
};

pub(crate) async fn list_recipients(
    context: Context,
    _: Run,
    job: ListRecipients,
) -> Result<(), Failure> {
    let listed = usecases::list_recipients::list_recipients(&context, &job).await;
    listed.map_err(|error| Failure::of(error.into()))
}

/// Deferred emails are limited by time instead of attempts, which also count crashed processes. Two concurrent parts
/// keep the mail server busy, while other mail waits for at most twenty emails.
pub(crate) const SEND_ISSUE: Policy = Policy {
    concurrency: 2,
    timeout: Duration::from_mins(2),
    attempts: 1_000,
    first_pause: TimeDelta::minutes(5),
    longest_pause: TimeDelta::hours(1),
};

pub(crate) async fn send_issue(context: Context, _: Run, job: SendIssue) -> Result<(), Failure> {
    match send(&context, &job).await {
        Ok(Sent::All) => Ok(()),
        Ok(Sent::Deferred(letters)) => Err(Failure::Retry(format!(
            "servers want {letters} letters later"
        ))),
        Err(error) => Err(Failure::of(error.into())),
    }
}
