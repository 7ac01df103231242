//! The jobs that make the sizes of photos, and avatars.

use std::time::Duration;

use async_trait::async_trait;
use chassis::postgres::jobs::{Failure, Policy, Run, Worker};
use chrono::TimeDelta;

use crate::{
    context::Context,
    tasks::{MakeAvatar, MakeSizes},
    usecases::{make_avatar, make_sizes},
};

/// The last of these refuses the picture, which may be what each attempt has failed at, or what has ended its process.
const ATTEMPTS: u32 = 8;

/// Pictures that are made at a time, and how often one is tried.
pub(crate) fn policy(concurrency: usize) -> Policy {
    Policy {
        concurrency,
        timeout: Duration::from_mins(2),
        attempts: ATTEMPTS,
        first_pause: TimeDelta::seconds(2),
        longest_pause: TimeDelta::minutes(5),
    }
}

#[derive(Debug)]
pub(crate) struct MakeSizesWorker {
    context: Context,
}

impl MakeSizesWorker {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Worker for MakeSizesWorker {
    type Job = MakeSizes;

    async fn run(&self, run: Run, job: MakeSizes) -> Result<(), Failure> {
        let outcome = if run.attempt >= ATTEMPTS {
            make_sizes::give_up(&self.context, &job).await
        } else {
            make_sizes::make_sizes(&self.context, &job).await
        };
        outcome.map_err(Failure::of)
    }
}

#[derive(Debug)]
pub(crate) struct MakeAvatarWorker {
    context: Context,
}

impl MakeAvatarWorker {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Worker for MakeAvatarWorker {
    type Job = MakeAvatar;

    async fn run(&self, run: Run, job: MakeAvatar) -> Result<(), Failure> {
        let outcome = if run.attempt >= ATTEMPTS {
            make_avatar::give_up(&self.context, &job).await
        } else {
            make_avatar::make_avatar(&self.context, &job).await
        };
        outcome.map_err(Failure::of)
    }
}
