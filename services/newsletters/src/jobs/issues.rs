//! The jobs that make an issue and send it.

use std::time::Duration;

use async_trait::async_trait;
use chassis::postgres::jobs::{Failure, Policy, Run, Worker};
use chrono::TimeDelta;

use crate::{
    context::Context,
    tasks::{ComposeIssue, ListRecipients, SendIssue},
    usecases::{
        compose::compose,
        list_recipients::list_recipients,
        send::{Sent, send},
    },
};

/// Makes issues.
#[derive(Debug)]
pub(crate) struct ComposeIssueWorker {
    context: Context,
}

impl ComposeIssueWorker {
    pub(crate) const POLICY: Policy = Policy {
        concurrency: 2,
        timeout: Duration::from_mins(1),
        attempts: 20,
        first_pause: TimeDelta::seconds(5),
        longest_pause: TimeDelta::minutes(10),
    };

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Worker for ComposeIssueWorker {
    type Job = ComposeIssue;

    async fn run(&self, _: Run, job: ComposeIssue) -> Result<(), Failure> {
        let composed = compose(&self.context, job.issue_id).await;
        composed.map_err(|error| Failure::of(error.into()))
    }
}

/// Lists their recipients.
#[derive(Debug)]
pub(crate) struct ListRecipientsWorker {
    context: Context,
}

impl ListRecipientsWorker {
    /// A million recipients are listed within minutes; who goes on begins where the last one was.
    pub(crate) const POLICY: Policy = Policy {
        concurrency: 1,
        timeout: Duration::from_mins(10),
        attempts: 100,
        first_pause: TimeDelta::seconds(5),
        longest_pause: TimeDelta::minutes(5),
    };

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Worker for ListRecipientsWorker {
    type Job = ListRecipients;

    async fn run(&self, _: Run, job: ListRecipients) -> Result<(), Failure> {
        let listed = list_recipients(&self.context, &job).await;
        listed.map_err(|error| Failure::of(error.into()))
    }
}

/// Sends them.
#[derive(Debug)]
pub(crate) struct SendIssueWorker {
    context: Context,
}

impl SendIssueWorker {
    /// How often a letter is deferred is bounded by time, not by attempts, which also count processes that died. Two parts at
    /// a time keep the mail server busy, and other mail waits behind twenty letters at most.
    pub(crate) const POLICY: Policy = Policy {
        concurrency: 2,
        timeout: Duration::from_mins(2),
        attempts: 1_000,
        first_pause: TimeDelta::minutes(5),
        longest_pause: TimeDelta::hours(1),
    };

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Worker for SendIssueWorker {
    type Job = SendIssue;

    async fn run(&self, _: Run, job: SendIssue) -> Result<(), Failure> {
        match send(&self.context, &job).await {
            Ok(Sent::All) => Ok(()),
            Ok(Sent::Deferred(letters)) => Err(Failure::Retry(format!(
                "servers want {letters} letters later"
            ))),
            Err(error) => Err(Failure::of(error.into())),
        }
    }
}
