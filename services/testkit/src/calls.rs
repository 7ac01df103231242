//! Requests of a reader, a guest or an operator, like those of a service's callers.

use std::time::Duration;

use chassis::{
    call::{Call, Caller, CallerTokens},
    rpc::Outgoing,
};
use tonic::Request;

/// The timeout of a test's call: far more than it needs, so that a hang is a failure.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// A visitor's call.
pub fn guest<T>(message: T) -> Request<T> {
    by(Caller::Guest, message)
}

/// A signed-in reader's call.
pub fn reader<T>(profile_id: i64, message: T) -> Request<T> {
    by(Caller::Reader(profile_id), message)
}

/// The system's own call.
pub fn operator<T>(message: T) -> Request<T> {
    by(Caller::Operator, message)
}

fn by<T>(caller: Caller, message: T) -> Request<T> {
    Call::new(caller, TIMEOUT).request(message)
}

/// The caller's side of a test's calls.
#[must_use]
pub fn outgoing(tokens: CallerTokens) -> Outgoing {
    Outgoing {
        tokens,
        read_timeout: TIMEOUT,
    }
}
