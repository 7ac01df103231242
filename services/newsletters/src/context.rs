//! State shared by use cases, consumers and jobs.

use std::sync::Arc;

use chassis::{
    clock::SharedClock,
    entropy::SharedEntropy,
    mail::PostOffice,
    postgres::{Outbox, jobs::JobQueue},
};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use moka::future::Cache;
use sqlx::PgPool;

use crate::{
    domain::{Addresses, Paces, ReturnPath, Site},
    editorial::Editorial,
    returned::Mailbox,
    settings::{Reporters, Sections, Timetable},
};

/// Maximum number of cached pages of issues, each of at most 100 kB.
pub(crate) const KEPT_PAGES: u64 = 100;

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) jobs: JobQueue,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    /// The site that sends the newsletters.
    pub(crate) site: Site,
    /// Computes keyed hashes of addresses.
    pub(crate) addresses: Addresses,
    /// Maximum number of confirmation emails per mailbox and day.
    pub(crate) confirmations_per_day: i64,
    /// How long evidence of a consent is kept after its withdrawal.
    pub(crate) keep_consents: TimeDelta,
    /// How long the outcomes of an issue's deliveries are kept.
    pub(crate) keep_deliveries: TimeDelta,
    /// Clients for the services with newsletter content.
    pub(crate) editorial: Editorial,
    /// Sends issues.
    pub(crate) post: PostOffice,
    pub(crate) timetable: Arc<Timetable>,
    pub(crate) sections: Arc<Sections>,
    /// Configured providers of delivery reports.
    pub(crate) reporters: Arc<Reporters>,
    /// Address for undeliverable emails; `None` if they are returned to the sender of the site's emails.
    pub(crate) return_path: Option<ReturnPath>,
    /// Mailbox that receives undeliverable emails.
    pub(crate) mailbox: Option<Mailbox>,
    pub(crate) paces: Arc<Paces>,
    /// Recently read pages of issues, by id and time of completion.
    pub(crate) pages: Cache<(i64, Option<DateTime<Utc>>), Arc<str>>,
    /// Time zone of the timetable.
    pub(crate) zone: Tz,
}

chassis::opaque_debug!(Context);
