//! The time in which a public answer is served without being recomputed.

use chrono::TimeDelta;
use http::HeaderValue;

/// The speed at which an answer ages although nothing that it shows has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It ages only by changes that the bus has not reported.
    Usual,
    /// It depends on the time of day: events that are on now, places that are open.
    Short,
    /// It answers words that somebody types, which hardly anybody types again. It ages like one that depends on the time
    /// of day, and replicas do not agree on its instant: to ask for it would take longer than to find the answer, and
    /// would take places from answers that many read.
    Typed,
}

impl Freshness {
    /// The time for which it counts as fresh.
    pub(super) fn fresh(self) -> TimeDelta {
        TimeDelta::seconds(match self {
            Self::Usual => 60,
            Self::Short | Self::Typed => 10,
        })
    }

    /// The time after that for which it is served while it is recomputed (RFC 5861,
    /// `stale-while-revalidate`).
    pub(super) fn stale(self) -> TimeDelta {
        TimeDelta::seconds(match self {
            Self::Usual => 600,
            Self::Short | Self::Typed => 50,
        })
    }

    /// The `Cache-Control` for caches of others.
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Usual => "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
            Self::Short | Self::Typed => {
                "public, max-age=0, s-maxage=10, stale-while-revalidate=50"
            }
        })
    }

    /// Whether replicas agree on the instant of an answer.
    pub(super) fn is_agreed(self) -> bool {
        self != Self::Typed
    }
}
