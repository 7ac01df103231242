//! How long a public response is served without recomputation.

use chrono::TimeDelta;
use http::HeaderValue;

/// How fast a response becomes outdated without a reported change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Does not depend on the time: it becomes stale only if the bus fails to report a change.
    Usual,
    /// Depends on the time of day: current events, open places.
    Short,
    /// Responds to a typed query, which is rarely repeated. It expires as fast as [`Self::Short`], and replicas do not
    /// share its time: fetching the time would take longer than computing the response, and storing it would displace
    /// frequently read responses.
    Typed,
}

impl Freshness {
    /// How long the response counts as fresh.
    pub(super) fn fresh(self) -> TimeDelta {
        TimeDelta::seconds(match self {
            Self::Usual => 60,
            Self::Short | Self::Typed => 10,
        })
    }

    /// How long the response may then be served while it is recomputed (RFC 5861, `stale-while-revalidate`).
    pub(super) fn stale(self) -> TimeDelta {
        TimeDelta::seconds(match self {
            Self::Usual => 600,
            Self::Short | Self::Typed => 50,
        })
    }

    /// Returns the `Cache-Control` header for shared caches.
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Usual => "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
            Self::Short | Self::Typed => {
                "public, max-age=0, s-maxage=10, stale-while-revalidate=50"
            }
        })
    }

    /// Whether replicas share the response's computation time.
    pub(super) fn is_agreed(self) -> bool {
        self != Self::Typed
    }
}
