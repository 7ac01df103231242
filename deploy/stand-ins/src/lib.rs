//! Stand-ins for third parties' servers, over HTTP: for tests, and for `cargo xtask up`, in which log-ins with Facebook and
//! calendars at Google can be tried without an account or a network. Their pages say what they are.

pub mod facebook;
pub mod google;
mod oauth;
pub mod server;
