//! The job that asks the owner of an address whether they want what was requested under it.

use std::time::Duration;

use async_trait::async_trait;
use chassis::{
    email::Email,
    postgres::jobs::{Failure, Policy, Run, Worker},
};
use chrono::TimeDelta;

use crate::{context::Context, tasks::AskToConfirm, usecases::ask_to_confirm::ask_to_confirm};

#[derive(Debug)]
pub(crate) struct AskToConfirmWorker {
    context: Context,
}

impl AskToConfirmWorker {
    pub(crate) const POLICY: Policy = Policy {
        concurrency: 4,
        timeout: Duration::from_secs(30),
        attempts: 20,
        first_pause: TimeDelta::seconds(1),
        longest_pause: TimeDelta::minutes(5),
    };

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Worker for AskToConfirmWorker {
    type Job = AskToConfirm;

    async fn run(&self, _: Run, job: AskToConfirm) -> Result<(), Failure> {
        let email = Email::parse(&job.email).map_err(Failure::Permanent)?;
        let asked = ask_to_confirm(&self.context, &email).await;
        asked.map_err(|error| Failure::of(error.into()))
    }
}
