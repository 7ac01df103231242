//! Erases a departed reader's data in all services.

use std::time::Duration;

use chassis::{
    error::Fault,
    postgres::jobs::{Failure, Policy, Run},
};
use chrono::TimeDelta;

use crate::{context::Context, domain::EraseJob, owners::Owners, usecases::erase_account::erase};

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
