//! The job that deletes the files of a deleted picture.

use std::time::Duration;

use chassis::postgres::jobs::{Failure, Policy, Run};
use chrono::TimeDelta;

use crate::{context::Context, tasks::DeleteFiles, usecases::folder};

pub(crate) const POLICY: Policy = Policy {
    concurrency: 4,
    timeout: Duration::from_secs(30),
    attempts: 50,
    first_pause: TimeDelta::seconds(1),
    longest_pause: TimeDelta::minutes(5),
};

pub(crate) async fn delete_files(
    context: Context,
    _: Run,
    job: DeleteFiles,
) -> Result<(), Failure> {
    let blobs = &context.blobs;
    let deleted = blobs.delete_folder(&folder(job.name)).await;
    deleted.map(drop).map_err(Failure::of)?;
    match job.incoming {
        Some(incoming) => {
            let discarded = blobs.discard_incoming(incoming).await;
            discarded.map_err(Failure::of)
        }
        None => Ok(()),
    }
}
