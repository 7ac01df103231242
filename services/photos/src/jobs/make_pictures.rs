//! The jobs that make photos' sizes and avatars.

use std::time::Duration;

use chassis::postgres::jobs::{Failure, Policy, Run};
use chrono::TimeDelta;

use crate::{
    context::Context,
    tasks::{MakeAvatar, MakeSizes},
    usecases::{make_avatar, make_sizes},
};

/// The number of attempts. The last attempt refuses the picture, which may have caused the failures or crashed the
/// process.
const ATTEMPTS: u32 = 8;

/// The concurrency and retry policy.
pub(crate) fn policy(concurrency: usize) -> Policy {
    Policy {
        concurrency,
        timeout: Duration::from_mins(2),
        attempts: ATTEMPTS,
        first_pause: TimeDelta::seconds(2),
        longest_pause: TimeDelta::minutes(5),
    }
}

pub(crate) async fn make_sizes(context: Context, run: Run, job: MakeSizes) -> Result<(), Failure> {
    let outcome = if run.attempt >= ATTEMPTS {
        make_sizes::give_up(&context, &job).await
    } else {
        make_sizes::make_sizes(&context, &job).await
    };
    outcome.map_err(Failure::of)
}

pub(crate) async fn make_avatar(
    context: Context,
    run: Run,
    job: MakeAvatar,
) -> Result<(), Failure> {
    let outcome = if run.attempt >= ATTEMPTS {
        make_avatar::give_up(&context, &job).await
    } else {
        make_avatar::make_avatar(&context, &job).await
    };
    outcome.map_err(Failure::of)
}
