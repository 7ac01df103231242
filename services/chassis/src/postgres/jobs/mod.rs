//! Durable jobs: a use case appends a job in the transaction of its change; after the commit a worker of any
//! process runs it, and deletes it only once it is done. A job runs at least once: a process that dies leaves
//! its jobs to others, so a worker must tolerate a second run.

mod dead;
mod queue;
mod runner;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

pub use self::{
    dead::{DeadJob, DeadJobs, forget_dead, forget_dead_hourly},
    queue::JobQueue,
    runner::Runner,
};
use crate::error::Fault;

/// The payload of one kind of job; stored as JSON. A new field needs a default, because jobs of the
/// previous release are still in the queue.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// The kind's name, for the table, operators and metrics.
    const KIND: &'static str;
    /// A job that still meets outages this long after it was due is dead, so that none waits forever for something that is
    /// refused to it alone.
    const MAX_OUTAGE: TimeDelta = TimeDelta::days(5);
}

/// How jobs of one kind run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Jobs of the kind that run at a time in one process.
    pub concurrency: usize,
    /// The longest run; a job that takes longer is cancelled, and its attempt has failed.
    pub timeout: Duration,
    /// A job that has failed this often is dead.
    pub attempts: u32,
    /// The pause after the first failed attempt. It doubles with each further one.
    pub first_pause: TimeDelta,
    /// The longest pause.
    pub longest_pause: TimeDelta,
}

impl Policy {
    /// A process that takes a job holds it for this long. The run ends before the lease, so a job runs twice
    /// only if its process died or could not report it as done.
    fn lease(&self) -> TimeDelta {
        TimeDelta::from_std(self.timeout).unwrap_or(TimeDelta::MAX) + TimeDelta::seconds(30)
    }

    /// The pause after an attempt has failed.
    fn pause(&self, attempts: u32) -> TimeDelta {
        doubling(self.first_pause, attempts).min(self.longest_pause)
    }
}

/// A pause that doubles with each attempt.
fn doubling(first: TimeDelta, attempts: u32) -> TimeDelta {
    first * (1 << attempts.saturating_sub(1).min(20))
}

/// One run of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The job's id; the same in every run, so effects elsewhere can be recognised by it.
    pub job: Uuid,
    /// When the job was appended.
    pub created_at: DateTime<Utc>,
    /// The number of this attempt, from 1.
    pub attempt: u32,
}

/// Why a job was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Something that all jobs of the kind need is unavailable. The attempt does not count, and the kind
    /// pauses for a while. [`Job::MAX_OUTAGE`] bounds it.
    #[error("{0}")]
    Outage(String),
    /// It may succeed later.
    #[error("{0}")]
    Retry(String),
    /// It will never succeed.
    #[error("{0}")]
    Permanent(String),
}

impl Failure {
    /// The failure of an attempt; one that met an outage does not count.
    #[must_use]
    pub fn of(fault: Fault) -> Self {
        if fault.code.is_outage() {
            Self::Outage(fault.message)
        } else {
            fault.into()
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Retry(fault.message)
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Fault::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_never_overflow() {
        let policy = Policy {
            concurrency: 1,
            timeout: Duration::from_mins(1),
            attempts: 9,
            first_pause: TimeDelta::minutes(1),
            longest_pause: TimeDelta::minutes(30),
        };
        let minutes = [1, 2, 3, 5, 6, 60, u32::MAX].map(|n| policy.pause(n).num_minutes());
        assert_eq!(minutes, [1, 2, 4, 16, 30, 30, 30]);
        assert_eq!(policy.lease(), TimeDelta::seconds(90));
    }
}
