//! The tests' own tools: a database each, the parts of a process, a clock set by hand, and services
//! that run in the test's own process behind the same layers as in a real one.

pub mod bus;
pub mod calls;
pub mod certificates;
pub mod clock;
pub mod database;
pub mod facebook;
pub mod google;
pub mod letters;
mod oauth;
pub mod outbox;
pub mod parts;
pub mod passkeys;
pub mod picture;
pub mod proxy;
mod server;
pub mod service;
pub mod smtp;
pub mod sns;
pub mod statements;
pub mod tls_servers;
mod waiting;
pub mod web;
pub mod webhooks;
pub mod woken;

pub use waiting::{AT_MOST, until, within_hours};

/// The address of a server that `cargo xtask test` has started.
///
/// # Panics
/// If the variable is not set: tests run by `cargo xtask test`.
#[must_use]
pub fn environment(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: run the tests by `cargo xtask test`"))
}
