//! PostgreSQL as services use it: a pool that lives in the service's own schema, migrations, the
//! outbox with its relay, the inbox, the queue of mail, idempotency keys, and periodic jobs.

mod idempotency;
mod inbox;
pub mod jobs;
mod mails;
mod migrate;
mod outbox;
mod pool;
mod retell;

pub use idempotency::{Attempt, forget_keys, forget_keys_by_and_by};
pub use inbox::{first_time, first_times, forget_handled, forget_handled_by_and_by};
pub use mails::{MailQueue, MailRelay, forget_refused};
pub use migrate::{check_migrated, migrate};
pub use outbox::{Outbox, Relay, Unsent};
pub use pool::{Settings, check, connect, is_outage};
pub use retell::ask_anew;
