//! Finds the account for which a new password was requested, and mails the link.

use std::time::Duration;

use chassis::{
    actor::Actor,
    email::Email,
    error::Fault,
    postgres::jobs::{Failure, Policy, Run},
};
use chrono::TimeDelta;

use crate::{
    context::Context, domain::PasswordReset, usecases::request_password_reset::mail_reset_link,
};

/// A reader waits for the mail, so retries end before the link would expire.
pub(crate) const POLICY: Policy = Policy {
    concurrency: 2,
    timeout: Duration::from_secs(30),
    attempts: 10,
    first_pause: TimeDelta::seconds(5),
    longest_pause: TimeDelta::minutes(10),
};

pub(crate) async fn reset_password(
    context: Context,
    _: Run,
    job: PasswordReset,
) -> Result<(), Failure> {
    let email = Email::parse(&job.email).map_err(Failure::Permanent)?;
    let actor = job.network.as_deref().map(Actor::client);
    let mailed = mail_reset_link(&context, &email, &actor.unwrap_or_default()).await;
    mailed.map_err(|error| Fault::from(error).into())
}
