//! Ads: chosen in this process, from campaigns that the service of ads keeps.

pub(crate) mod frame;
mod recorder;
mod server;

pub(crate) use self::server::{AdServer, Chosen};
