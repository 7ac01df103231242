//! Ad selection in this process, from campaigns that the ads service stores.

pub(crate) mod frame;
mod recorder;
mod server;

pub(crate) use self::server::{AdServer, Chosen};
