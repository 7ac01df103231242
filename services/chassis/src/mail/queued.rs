//! Sends queued mail.

use std::time::Duration;

use chrono::TimeDelta;

use super::{content::Mail, mailer::Undelivered, office::PostOffice};
use crate::postgres::jobs::{Failure, Job, Policy, Run};

impl Job for Mail {
    const KIND: &'static str = "mail";
    const LEAVES_SITE: bool = true;
}

/// The number of workers for each connection. Letters to a domain wait for each other, so with fewer workers a few slow
/// domains could occupy all of them.
const WORKERS: usize = 4;

/// Retries a deferred mail after a minute at first, later every half hour (RFC 5321, section 4.5.4.1), for four days in
/// total.
#[must_use]
pub fn policy(office: &PostOffice) -> Policy {
    Policy {
        concurrency: WORKERS * office.connections,
        timeout: Duration::from_mins(1),
        attempts: 200,
        first_pause: TimeDelta::minutes(1),
        longest_pause: TimeDelta::minutes(30),
    }
}

/// Sends a queued mail. It is sent twice only if its process died or the database failed at that moment, and then with
/// the same `Message-ID`.
pub async fn send_queued(office: PostOffice, run: Run, mail: Mail) -> Result<(), Failure> {
    let letter = office.write(run.job, &mail, run.created_at);
    let letter = letter.map_err(|fault| Failure::Permanent(fault.message))?;
    let sent = office.mailer.send(&letter).await;
    sent.map(drop).map_err(|undelivered| match undelivered {
        Undelivered::Away(why) => Failure::Outage(why),
        Undelivered::Later(reply) if reply.code == 0 => Failure::Retry(reply.words),
        // The server's text may name the recipient, and retries are logged.
        Undelivered::Later(reply) => Failure::Retry(format!("the server said {}", reply.code)),
        Undelivered::Refused(reply) => Failure::Permanent(reply.words),
    })
}
