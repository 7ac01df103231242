//! Jobs that call third parties: write and remove calendar events, save the event of an authorisation, revoke grants, and
//! withdraw permissions at Facebook.

use std::time::Duration;

use chassis::{
    error::{Code, Fault},
    postgres::jobs::{Failure, Policy, Run},
};
use chrono::TimeDelta;

use crate::{
    context::Context,
    domain::{DisconnectJob, RevokeJob, SaveJob, SyncJob},
    error::Error,
    facebook::FacebookError,
    google::GoogleError,
    owners::Owners,
    usecases::{
        calendar_authorization::save_event, calendar_entry::sync_entry, calendar_grant::revoke,
        facebook::manage::withdraw_permissions,
    },
};

/// Retries for about a day and a half if the third party returns an error each time. While it does not respond, attempts
/// do not count.
pub(crate) const POLICY: Policy = Policy {
    concurrency: 4,
    timeout: Duration::from_mins(1),
    attempts: 18,
    first_pause: TimeDelta::seconds(5),
    longest_pause: TimeDelta::hours(6),
};

/// Writes or removes an event.
pub(crate) async fn sync(
    (context, owners): (Context, Owners),
    _: Run,
    job: SyncJob,
) -> Result<(), Failure> {
    let done = sync_entry(&context, &owners, &job).await;
    done.map_err(failure)
}

/// Saves the event of an authorisation.
pub(crate) async fn save(
    (context, owners): (Context, Owners),
    _: Run,
    job: SaveJob,
) -> Result<(), Failure> {
    let Some(state) = job.state_digest() else {
        return Err(Failure::Permanent("a state without its form".to_owned()));
    };
    let saved = save_event(&context, &owners, job.profile_id, &state).await;
    saved.map_err(failure)
}

pub(crate) async fn revoke_grant(context: Context, _: Run, job: RevokeJob) -> Result<(), Failure> {
    revoke(&context, &job).await.map_err(failure)
}

pub(crate) async fn disconnect_facebook(
    context: Context,
    _: Run,
    job: DisconnectJob,
) -> Result<(), Failure> {
    withdraw_permissions(&context, &job).await.map_err(failure)
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Facebook(FacebookError::NoAnswer(why))
        | Error::Google(GoogleError::NoAnswer(why)) => Failure::Outage(why),
        Error::Google(error @ GoogleError::Never(_)) => Failure::Permanent(error.to_string()),
        error => match Fault::from(error) {
            fault if fault.code == Code::Invalid => Failure::Permanent(fault.message),
            fault => fault.into(),
        },
    }
}
