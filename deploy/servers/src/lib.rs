//! PostgreSQL, Redis and RabbitMQ on this machine, each private and unprivileged, and the programs around
//! them: installing, starting, watching and stopping them. `cargo xtask` brings them up for development and
//! for tests; tests that kill and restart a server start one of their own.

pub mod apt;
pub mod certificate;
pub mod checkout;
pub mod embedded;
pub mod interrupt;
pub mod ports;
pub mod postgres;
pub mod process;
pub mod progress;
pub mod rabbitmq;
pub mod redis;
pub mod stamp;
pub mod unprivileged;
