//! The caller and deadline of a call. The gateway authenticates the reader and passes the caller on in a short-lived
//! signed token; services never trust an unsigned header.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use tonic::Request;

use crate::{
    actor::Actor,
    clock::SharedClock,
    error::{Code, Fault},
    keys::Keys,
};

/// The validity of a caller token: slightly longer than any deadline.
const TOKEN_LIFETIME: TimeDelta = TimeDelta::seconds(60);

/// The metadata key that carries the caller token.
pub(crate) const CALLER_HEADER: &str = "x-cityguide-caller";

/// The party on whose behalf a call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A visitor who is not signed in.
    Guest,
    /// A signed-in reader, by profile id.
    Reader(i64),
    /// The system itself: an import, a job.
    Operator,
}

impl Caller {
    /// The reader's profile id; [`Code::NotAuthenticated`] for any other caller.
    pub fn reader(self) -> Result<i64, Fault> {
        match self {
            Self::Reader(id) => Ok(id),
            Self::Guest | Self::Operator => Err(Fault::new(
                Code::NotAuthenticated,
                "Authentication credentials were not provided.",
            )),
        }
    }

    /// Refuses every caller except the system itself.
    pub fn operator(self) -> Result<(), Fault> {
        match self {
            Self::Operator => Ok(()),
            Self::Guest | Self::Reader(_) => {
                Err(Fault::new(Code::Forbidden, "This call is for operators."))
            }
        }
    }

    /// The caller of a request, as read from the token by the server's layers.
    #[must_use]
    pub fn from_request<T>(request: &Request<T>) -> Self {
        request
            .extensions()
            .get::<Self>()
            .copied()
            .unwrap_or(Self::Guest)
    }
}

/// The context of a call: the caller, and the instant after which the caller no longer waits for the response.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The party on whose behalf the call is made.
    pub caller: Caller,
    /// The instant at which the caller stops waiting.
    pub deadline: Instant,
}

tokio::task_local! {
    /// The deadline of the current task's work.
    static DEADLINE: Option<Instant>;
}

/// Runs `work` with a deadline, or with the enclosing deadline if that is earlier; the calls made in it inherit the
/// deadline. Tasks that `work` spawns have no deadline.
pub fn with_deadline<F: Future>(deadline: Instant, work: F) -> impl Future<Output = F::Output> {
    DEADLINE.scope(Some(earlier(deadline)), work)
}

/// Runs `work` without the enclosing deadline, because other callers also wait for it.
pub fn without_deadline<F: Future>(work: F) -> impl Future<Output = F::Output> {
    DEADLINE.scope(None, work)
}

/// The deadline of the current work; `None` outside of [`with_deadline`] and inside [`without_deadline`].
#[must_use]
pub fn deadline() -> Option<Instant> {
    DEADLINE.try_with(|deadline| *deadline).ok().flatten()
}

/// The earlier of `instant` and the deadline of the current work.
fn earlier(instant: Instant) -> Instant {
    deadline().map_or(instant, |deadline| instant.min(deadline))
}

impl Call {
    /// A call that may take `within` from now, but not longer than the enclosing deadline ([`with_deadline`]).
    #[must_use]
    pub fn new(caller: Caller, within: Duration) -> Self {
        Self {
            caller,
            deadline: earlier(Instant::now() + within),
        }
    }

    /// A request that carries this call's context; the transport's layers add its headers.
    pub fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.extensions_mut().insert(*self);
        request
    }
}

#[derive(Serialize, Deserialize)]
struct Claims<'a> {
    /// The profile id; absent for guests and operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<i64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    op: bool,
    /// The actor's network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    net: Option<Cow<'a, str>>,
    /// The operator's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    who: Option<Cow<'a, str>>,
    /// The expiry time, in seconds since the epoch.
    exp: i64,
}

/// Signs and verifies caller tokens with the keys shared by all processes of a system (HMAC-SHA-256 over the remote
/// procedure's path and the claims), so that a token that leaks is of no use for another procedure or service.
#[derive(Clone)]
pub struct CallerTokens {
    keys: Keys,
    clock: SharedClock,
}

crate::opaque_debug!(CallerTokens);

impl CallerTokens {
    /// Creates tokens with these keys.
    #[must_use]
    pub fn new(keys: Keys, clock: SharedClock) -> Self {
        Self { keys, clock }
    }

    /// Signs a token for a caller, the actor on whose behalf it calls, and the path of the remote procedure:
    /// `/cityguide.places.v1.Places/GetListing`.
    #[must_use]
    pub fn sign(&self, caller: Caller, actor: &Actor, path: &str) -> String {
        let claims = Claims {
            sub: match caller {
                Caller::Reader(id) => Some(id),
                Caller::Guest | Caller::Operator => None,
            },
            op: caller == Caller::Operator,
            net: actor.network.as_deref().map(Cow::Borrowed),
            who: actor.operator.as_deref().map(Cow::Borrowed),
            exp: (self.clock.now() + TOKEN_LIFETIME).timestamp(),
        };
        let claims = BASE64_URL_SAFE_NO_PAD.encode(serde_json::json!(claims).to_string());
        let tag = BASE64_URL_SAFE_NO_PAD.encode(self.keys.tag_whole(&signed(path, &claims)));
        format!("{claims}.{tag}")
    }

    /// The caller and actor in a token for this path; `None` if its signature is wrong or it has expired.
    #[must_use]
    pub fn verify(&self, token: &str, path: &str) -> Option<(Caller, Actor)> {
        let (claims, tag) = token.split_once('.')?;
        let tag = BASE64_URL_SAFE_NO_PAD.decode(tag).ok()?;
        if !self.keys.is_tag_of_whole(&tag, &signed(path, claims)) {
            return None;
        }
        let claims = BASE64_URL_SAFE_NO_PAD.decode(claims).ok()?;
        let claims: Claims<'_> = serde_json::from_slice(&claims).ok()?;
        let expires = DateTime::<Utc>::from_timestamp(claims.exp, 0)?;
        if self.clock.now() >= expires {
            return None;
        }
        let caller = match (claims.op, claims.sub) {
            (true, _) => Caller::Operator,
            (false, Some(id)) => Caller::Reader(id),
            (false, None) => Caller::Guest,
        };
        let actor = Actor {
            network: claims.net.map(Arc::from),
            operator: claims.who.map(Arc::from),
        };
        Some((caller, actor))
    }
}

/// The text to sign. The space separates unambiguously, because the claims contain no space.
fn signed(path: &str, claims: &str) -> String {
    format!("{path} {claims}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_ends_no_later_than_the_work_for_which_it_is_made() {
        const HOUR: Duration = Duration::from_hours(1);
        let deadline = Instant::now() + HOUR;
        let later = deadline + HOUR;
        let until = |within| async move { Call::new(Caller::Guest, within).deadline };
        assert!(until(2 * HOUR).await > deadline);
        with_deadline(deadline, async {
            assert_eq!(until(2 * HOUR).await, deadline);
            assert!(until(HOUR / 2).await < deadline);
            assert_eq!(with_deadline(later, until(4 * HOUR)).await, deadline);
            assert!(without_deadline(until(2 * HOUR)).await > deadline);
        })
        .await;
    }
}
