//! PostgreSQL as services use it: a pool that lives in the service's own schema, migrations, the
//! outbox with its relay, the inbox, and periodic jobs.

mod inbox;
pub mod jobs;
mod migrate;
mod outbox;
mod pool;
mod retell;

pub use inbox::{first_time, first_times, forget_handled};
pub use migrate::{check_migrated, migrate};
pub use outbox::{Outbox, Relay, Unsent};
pub use pool::{Settings, check, connect, is_outage};
pub use retell::ask_anew;
