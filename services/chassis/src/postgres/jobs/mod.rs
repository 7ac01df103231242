//! Durable jobs: a use case appends a job in the transaction of its change; after the commit, a worker in any process
//! runs it and deletes it when it is done. A job runs at least once: if its process dies, another process runs it
//! again, so workers must tolerate a second run.

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

/// The payload of a kind of job; stored as JSON. A new field needs a default, because jobs of the previous release are
/// still in the queue.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// The kind's name, for the table, operators and metrics.
    const KIND: &'static str;
    /// A job that still fails because of outages this long after it was due becomes dead, so that a job that alone
    /// causes the errors does not wait forever.
    const MAX_OUTAGE: TimeDelta = TimeDelta::days(5);
    /// Whether the job acts outside of the site: it sends mail, or calls a third party. A restored copy of the site does
    /// not run such jobs.
    const LEAVES_SITE: bool = false;
}

/// The execution policy of a kind of job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The maximum number of concurrent jobs of the kind in a process.
    pub concurrency: usize,
    /// The timeout of a run; a job that takes longer is cancelled, and its attempt has failed.
    pub timeout: Duration,
    /// The number of failures after which a job is dead.
    pub attempts: u32,
    /// The delay after the first failed attempt. It doubles with each further failure.
    pub first_pause: TimeDelta,
    /// The maximum delay between attempts.
    pub longest_pause: TimeDelta,
}

impl Policy {
    /// The time for which a process leases a job. A run ends before its lease, so a job runs twice only if its process
    /// died or could not store the outcome.
    fn lease(&self) -> TimeDelta {
        TimeDelta::from_std(self.timeout).unwrap_or(TimeDelta::MAX) + TimeDelta::seconds(30)
    }

    /// The delay after a failed attempt.
    fn pause(&self, attempts: u32) -> TimeDelta {
        doubling(self.first_pause, attempts).min(self.longest_pause)
    }
}

/// A delay that doubles with each attempt.
fn doubling(first: TimeDelta, attempts: u32) -> TimeDelta {
    first * (1 << attempts.saturating_sub(1).min(20))
}

/// A run of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The job's id, the same in every run, for recognising effects of earlier runs elsewhere.
    pub job: Uuid,
    /// When the job was appended.
    pub created_at: DateTime<Utc>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

/// The reason that a job failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A dependency of all jobs of the kind is unavailable. The attempt does not count, and the kind pauses for a
    /// while. [`Job::MAX_OUTAGE`] limits this.
    #[error("{0}")]
    Outage(String),
    /// A retry may succeed.
    #[error("{0}")]
    Retry(String),
    /// A retry cannot succeed.
    #[error("{0}")]
    Permanent(String),
}

impl Failure {
    /// The failure of an attempt; an outage does not count as an attempt.
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
