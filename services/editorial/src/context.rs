//! What use cases, consumers and jobs stand on.

use chassis::{
    clock::SharedClock,
    mail::Address,
    postgres::{MailQueue, Outbox},
};
use chrono::TimeDelta;
use sqlx::PgPool;

/// What the use cases need.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) mails: MailQueue,
    pub(crate) clock: SharedClock,
    /// Where what visitors say is mailed to.
    pub(crate) contact: Address,
    /// How long entries are kept after their contest has closed.
    pub(crate) entries_kept: TimeDelta,
}
