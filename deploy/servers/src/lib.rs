//! Installs, starts, watches and stops private, unprivileged servers on this machine: PostgreSQL, Redis, RabbitMQ and
//! related programs. `cargo xtask` starts them for development and for tests; tests that kill and restart a server
//! start their own.

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
