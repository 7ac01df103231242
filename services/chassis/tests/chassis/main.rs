//! The mechanisms of the chassis: conformance suites of each trait over every implementation, and the tables on a real
//! PostgreSQL. All suites form one program, because linking one program is faster than linking sixteen.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod blobs_conformance;
mod bus_conformance;
mod cache_conformance;
mod caller_tokens;
mod erased;
mod fetch;
mod idempotency;
mod inbox;
mod intake;
mod jobs;
mod limits_conformance;
mod mail_conformance;
mod mail_jobs;
mod mail_signed;
mod migrate;
mod outage;
mod outbox_relay;
mod periodic_jobs;
mod pools;
mod rpc_breaker;
mod rpc_restarts;
mod rpc_tls;
mod rpc_transport;
mod server_tls;
mod settings;
mod stamps;
