//! The identity service, called as its callers do, on a real PostgreSQL.

mod accounts;
mod bench;
mod last_updates;
mod sessions;
