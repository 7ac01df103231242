//! The job that deletes the files of a picture that is gone.

use std::time::Duration;

use async_trait::async_trait;
use chassis::postgres::jobs::{Failure, Policy, Run, Worker};
use chrono::TimeDelta;

use crate::{context::Context, tasks::DeleteFiles, usecases::folder};

#[derive(Debug)]
pub(crate) struct DeleteFilesWorker {
    context: Context,
}

impl DeleteFilesWorker {
    pub(crate) const POLICY: Policy = Policy {
        concurrency: 4,
        timeout: Duration::from_secs(30),
        attempts: 50,
        first_pause: TimeDelta::seconds(1),
        longest_pause: TimeDelta::minutes(5),
    };

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Worker for DeleteFilesWorker {
    type Job = DeleteFiles;

    async fn run(&self, _: Run, job: DeleteFiles) -> Result<(), Failure> {
        let blobs = &self.context.blobs;
        blobs
            .delete_folder(&folder(job.name))
            .await
            .map(drop)
            .map_err(Failure::of)?;
        match job.incoming {
            Some(incoming) => {
                let discarded = blobs.discard_incoming(incoming).await;
                discarded.map_err(Failure::of)
            }
            None => Ok(()),
        }
    }
}
