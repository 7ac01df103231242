//! The state that use cases, consumers and jobs share.

use std::sync::Arc;

use chassis::{
    clock::SharedClock,
    entropy::SharedEntropy,
    mail::PostOffice,
    postgres::{Outbox, jobs::JobQueue},
};
use chrono::TimeDelta;
use chrono_tz::Tz;
use moka::future::Cache;
use sqlx::PgPool;

use crate::{
    domain::{Addresses, Paces, ReturnPath, Site},
    editorial::Editorial,
    returned::Mailbox,
    settings::{Reporters, Sections, Timetable},
};

/// Pages of issues that are kept, each of at most 100 kB.
pub(crate) const KEPT_PAGES: u64 = 100;

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) jobs: JobQueue,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    /// The site that writes.
    pub(crate) site: Site,
    /// Makes keyed hashes of addresses.
    pub(crate) addresses: Addresses,
    /// Mails within a day that ask one mailbox to confirm.
    pub(crate) confirmations_per_day: i64,
    /// How long evidence of a consent is kept after it was withdrawn.
    pub(crate) keep_consents: TimeDelta,
    /// How long it is kept what became of an issue for its recipients.
    pub(crate) keep_deliveries: TimeDelta,
    /// The services whose things newsletters bring.
    pub(crate) editorial: Editorial,
    /// Sends issues.
    pub(crate) post: PostOffice,
    pub(crate) timetable: Arc<Timetable>,
    pub(crate) sections: Arc<Sections>,
    /// Those who report what became of letters.
    pub(crate) reporters: Arc<Reporters>,
    /// Where letters come back to that cannot be delivered; `None`: to the sender of the site's mail.
    pub(crate) return_path: Option<ReturnPath>,
    /// Where they are put then.
    pub(crate) mailbox: Option<Mailbox>,
    pub(crate) paces: Arc<Paces>,
    /// The pages of issues that were read last: what an issue says never changes.
    pub(crate) pages: Cache<i64, Arc<str>>,
    /// By whose clocks issues are due.
    pub(crate) zone: Tz,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}
