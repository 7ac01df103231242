//! Erases what a reader who has left owns, in all services.

use std::time::Duration;

use async_trait::async_trait;
use chassis::{
    error::Fault,
    postgres::jobs::{Failure, Policy, Run, Worker},
};
use chrono::TimeDelta;

use crate::{context::Context, domain::EraseJob, owners::Owners, usecases::erase_account::erase};

pub(crate) struct EraseWorker {
    context: Context,
    owners: Owners,
    /// The longest that a reader's call may take.
    longest_call: Duration,
}

impl EraseWorker {
    pub(crate) fn new(context: Context, owners: Owners, longest_call: Duration) -> Self {
        Self {
            context,
            owners,
            longest_call,
        }
    }

    /// A reader has asked for it, so that it is never given up.
    pub(crate) const POLICY: Policy = Policy {
        concurrency: 2,
        timeout: Duration::from_mins(1),
        attempts: u32::MAX,
        first_pause: TimeDelta::seconds(2),
        longest_pause: TimeDelta::minutes(5),
    };
}

#[async_trait]
impl Worker for EraseWorker {
    type Job = EraseJob;

    async fn run(&self, _: Run, job: EraseJob) -> Result<(), Failure> {
        let erased = erase(&self.context, &self.owners, &job, self.longest_call).await;
        erased.map_err(|error| Fault::from(error).into())
    }
}
