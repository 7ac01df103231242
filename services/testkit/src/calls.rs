//! Service requests of a reader, a guest or an operator.

use std::time::Duration;

use chassis::{
    call::{Call, Caller, CallerTokens},
    rpc::Outgoing,
};
use tonic::Request;

/// Timeout of a test's call: much longer than necessary, so that a timeout means a hang.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// A guest's request.
pub fn guest<T>(message: T) -> Request<T> {
    by(Caller::Guest, message)
}

/// A signed-in reader's request.
pub fn reader<T>(profile_id: i64, message: T) -> Request<T> {
    by(Caller::Reader(profile_id), message)
}

/// A request of the system itself.
pub fn operator<T>(message: T) -> Request<T> {
    by(Caller::Operator, message)
}

fn by<T>(caller: Caller, message: T) -> Request<T> {
    Call::new(caller, TIMEOUT).request(message)
}

/// Client settings for a test's calls.
#[must_use]
pub fn outgoing(tokens: CallerTokens) -> Outgoing {
    Outgoing {
        tokens,
        read_timeout: TIMEOUT,
    }
}
