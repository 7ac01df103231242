//! PostgreSQL for services: connection pools, schemas and migrations, the outbox with its relay, the inbox, replays,
//! stamps, durable and periodic jobs, idempotency keys and keysets.

mod batches;
mod columns;
pub mod erased;
mod idempotency;
mod inbox;
pub mod jobs;
pub mod keyset;
mod lock;
mod outage;
mod outbox;
pub mod periodic_jobs;
mod pool;
mod replay;
mod schema;
pub mod stamps;
mod under_way;

pub use batches::in_batches;
pub use columns::Columns;
pub use idempotency::{Attempt, forget_keys, forget_keys_hourly};
pub use inbox::{first_time, forget_handled, forget_handled_hourly};
pub use lock::lock_until_commit;
pub(crate) use outage::is_of_erased_reader;
pub use outage::is_outage;
pub use outbox::{Event, Outbox, Relay, Unsent};
pub use pool::{Pools, Settings, check, connect, end_with_call};
pub use replay::{Delivered, EventConsumer, ReplayConsumer, request_replay};
pub use schema::{Part, Schema, State};
