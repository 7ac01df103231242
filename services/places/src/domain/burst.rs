//! Bursts: more votes for a place, from one source and in a short time, than unrelated readers would cast. They are
//! held back until an operator has accepted or rejected them, or for a configured time.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

/// Maximum number of bursts shown to an operator.
pub(crate) const MAX_LISTED: i64 = 100;
/// How long a burst and its source are kept: long enough to investigate complaints.
pub(crate) const KEPT: TimeDelta = TimeDelta::days(30);
/// Maximum length of a network in bytes: an IPv6 network with its prefix length.
const MAX_NETWORK: usize = 49;

/// The configured definition of a burst.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BurstRule {
    /// Number of votes for a place from one source that count immediately.
    pub(crate) most: i64,
    /// Period in which these votes are cast.
    pub(crate) within: TimeDelta,
    /// How long the votes of a burst are held back, and for how long after its start a decision about it also applies
    /// to further votes from its source.
    pub(crate) wait: TimeDelta,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A network of addresses.
    Network,
    /// Accounts created within the same hour.
    AccountHour,
}

impl SourceKind {
    /// Returns the kind's name in the table.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::AccountHour => "account-hour",
        }
    }
}

/// Describes a source for an operator.
pub(crate) fn describe(kind: &str, source: &str) -> String {
    if kind == SourceKind::Network.as_str() {
        format!("network {source}")
    } else {
        format!("accounts created in the hour from {source}")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The client's network; `None` if unknown.
    pub(crate) network: Option<String>,
    /// Hour in which the account was created; `None` if unknown.
    pub(crate) account_hour: Option<String>,
}

impl Origin {
    /// Creates an origin from the values that a gateway reports.
    pub(crate) fn new(network: &str, account_created: Option<DateTime<Utc>>) -> Self {
        let is_known = !network.is_empty() && network.len() <= MAX_NETWORK;
        let hour = account_created.and_then(|at| at.duration_trunc(TimeDelta::hours(1)).ok());
        Self {
            network: is_known.then(|| network.to_owned()),
            account_hour: hour.map(|hour| hour.format("%F %H:%M UTC").to_string()),
        }
    }

    pub(crate) fn sources(&self) -> impl Iterator<Item = (SourceKind, &str)> {
        let network = self.network.as_deref();
        let hour = self.account_hour.as_deref();
        let network = network.map(|source| (SourceKind::Network, source));
        network
            .into_iter()
            .chain(hour.map(|source| (SourceKind::AccountHour, source)))
    }
}

/// A burst whose votes are held back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Burst {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) listing_name: String,
    pub(crate) kind: String,
    pub(crate) source: String,
    pub(crate) votes: i64,
    pub(crate) average: f64,
    pub(crate) begun_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vote_has_the_sources_that_are_known() {
        let at = "2026-11-23T14:59:59.999Z".parse().expect("an instant");
        let origin = Origin::new("203.0.113.0/24", Some(at));
        let sources: Vec<_> = origin.sources().collect();
        assert_eq!(
            sources,
            [
                (SourceKind::Network, "203.0.113.0/24"),
                (SourceKind::AccountHour, "2026-11-23 14:00 UTC"),
            ]
        );
        assert_eq!(Origin::new("", None).sources().count(), 0);
        assert_eq!(Origin::new(&"1".repeat(50), None).sources().count(), 0);
    }

    #[test]
    fn a_source_is_described_in_words() {
        let hour = describe("account-hour", "2026-11-23 14:00 UTC");
        assert_eq!(
            hour,
            "accounts created in the hour from 2026-11-23 14:00 UTC"
        );
        assert_eq!(
            describe("network", "2001:db8::/48"),
            "network 2001:db8::/48"
        );
    }
}
