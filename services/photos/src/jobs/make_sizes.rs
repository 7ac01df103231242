//! The job that makes a photo's sizes.

use std::time::Duration;

use async_trait::async_trait;
use chassis::postgres::jobs::{Failure, Policy, Run, Worker};
use chrono::TimeDelta;

use crate::{
    context::Context,
    tasks::MakeSizes,
    usecases::make_sizes::{give_up, make_sizes},
};

/// The last of these refuses the photo.
const ATTEMPTS: u32 = 8;

#[derive(Debug)]
pub(crate) struct MakeSizesWorker {
    context: Context,
}

impl MakeSizesWorker {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }

    pub(crate) fn policy(concurrency: usize) -> Policy {
        Policy {
            concurrency,
            timeout: Duration::from_mins(2),
            attempts: ATTEMPTS,
            first_pause: TimeDelta::seconds(2),
            longest_pause: TimeDelta::minutes(5),
        }
    }
}

#[async_trait]
impl Worker for MakeSizesWorker {
    type Job = MakeSizes;

    async fn run(&self, run: Run, job: MakeSizes) -> Result<(), Failure> {
        // The picture itself may be what each attempt has failed at, or has ended its process.
        if run.attempt >= ATTEMPTS {
            return super::done(give_up(&self.context, &job).await);
        }
        super::done(make_sizes(&self.context, &job).await)
    }
}
