//! Test tools: a database per test, the parts of a process, a manual clock, and in-process services behind the same
//! layers as in production.

pub mod bucket;
pub mod bus;
pub mod calls;
pub mod certificates;
pub mod clock;
pub mod database;
pub mod letters;
pub mod outbox;
pub mod parts;
pub mod passkeys;
pub mod picture;
pub mod proxy;
pub mod service;
pub mod smtp;
pub mod sns;
pub mod statements;
pub mod tls_servers;
mod waiting;
pub mod web;
pub mod webhooks;
pub mod woken;

pub use stand_ins::{facebook, google};
pub use waiting::{AT_MOST, until, within_hours};

/// Returns an environment variable with the address of a server that `cargo xtask test` has started.
///
/// # Panics
/// If the variable is not set: run the tests with `cargo xtask test`.
#[must_use]
pub fn environment(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: run the tests by `cargo xtask test`"))
}
