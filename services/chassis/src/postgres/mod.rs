//! PostgreSQL as services use it: a pool on the service's own schema, migrations, the outbox with its
//! relay, the inbox, replays, stamps, the queue of mail, idempotency keys, keysets and periodic jobs.

mod idempotency;
mod inbox;
pub mod jobs;
pub mod keyset;
mod lock;
mod mails;
mod outage;
mod outbox;
mod pool;
mod replay;
mod schema;
pub mod stamps;

pub use idempotency::{Attempt, forget_keys, forget_keys_hourly};
pub use inbox::{first_time, first_times, forget_handled, forget_handled_hourly};
pub use lock::lock_until_commit;
pub use mails::{MailQueue, MailRelay, forget_refused};
pub use outage::is_outage;
pub use outbox::{Outbox, Relay, Unsent};
pub use pool::{Settings, check, connect};
pub use replay::{ReplayConsumer, request_replay};
pub use schema::{Part, Schema};
