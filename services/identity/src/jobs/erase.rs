//! Erases a departed reader's data in all services.

use std::time::Duration;

use chassis::{
    error::Fault,
    postgres::jobs::{Failure, Policy, Run},
};
use chrono::TimeDelta;

use crate::{
    context::Context,
    domain::{EraseJob, RegisterErasure, RepeatErasure},
    owners::Owners,
    usecases::erase_account::{self, erase},
};

/// Never abandoned, because a reader has requested it.
pub(crate) const POLICY: Policy = Policy {
    concurrency: 2,
    timeout: Duration::from_mins(1),
    attempts: u32::MAX,
    first_pause: TimeDelta::seconds(2),
    longest_pause: TimeDelta::minutes(5),
};

/// `longest_request` is the maximum duration of a reader's request.
pub(crate) async fn erase_account(
    (context, owners, longest_request): (Context, Owners, Duration),
    _: Run,
    job: EraseJob,
) -> Result<(), Failure> {
    let erased = erase(&context, &owners, &job, longest_request).await;
    erased.map_err(|error| Fault::from(error).into())
}

pub(crate) async fn register_erasure(
    context: Context,
    _: Run,
    job: RegisterErasure,
) -> Result<(), Failure> {
    let recorded = erase_account::register_erasure(&context, job).await;
    recorded.map_err(Failure::of)
}

pub(crate) async fn repeat_erasure(
    context: Context,
    _: Run,
    job: RepeatErasure,
) -> Result<(), Failure> {
    let repeated = erase_account::repeat_erasure(&context, job.profile_id).await;
    repeated.map_err(|error| Fault::from(error).into())
}
