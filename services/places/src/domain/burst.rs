//! Bursts: more votes on one place, in a short time and from one source, than readers who do not know each other cast.
//! They wait until an operator has decided about them, or until a day has passed.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

/// Bursts that an operator is shown at a time.
pub(crate) const MAX_LISTED: i64 = 100;
/// How long a burst is kept, with its source: long enough to look into complaints.
pub(crate) const KEPT: TimeDelta = TimeDelta::days(30);
/// The longest name of a network, in bytes: an IPv6 network with its prefix.
const MAX_NETWORK: usize = 49;

/// When votes are a burst, from the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BurstRule {
    /// Votes on one place from one source that count at once.
    pub(crate) most: i64,
    /// The time in which they are counted.
    pub(crate) within: TimeDelta,
    /// How long the votes of a burst wait; a decision about one holds as long for its source.
    pub(crate) wait: TimeDelta,
}

/// A kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A network of addresses.
    Network,
    /// The accounts that were created within one hour.
    AccountHour,
}

impl SourceKind {
    /// Its name in the table.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::AccountHour => "account-hour",
        }
    }
}

/// A source in an operator's words.
pub(crate) fn describe(kind: &str, source: &str) -> String {
    if kind == SourceKind::Network.as_str() {
        format!("network {source}")
    } else {
        format!("accounts created in the hour from {source}")
    }
}

/// Where a vote comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The client's network; `None` if it is not known.
    pub(crate) network: Option<String>,
    /// The hour in which the account was created; `None` if that is not known.
    pub(crate) account_hour: Option<String>,
}

impl Origin {
    /// The origin that a gateway reports.
    pub(crate) fn new(network: &str, account_created: Option<DateTime<Utc>>) -> Self {
        let is_known = !network.is_empty() && network.len() <= MAX_NETWORK;
        let hour = account_created.and_then(|at| at.duration_trunc(TimeDelta::hours(1)).ok());
        Self {
            network: is_known.then(|| network.to_owned()),
            account_hour: hour.map(|hour| hour.format("%F %H:%M UTC").to_string()),
        }
    }

    /// The vote's sources.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (SourceKind, &str)> {
        let network = self.network.as_deref();
        let hour = self.account_hour.as_deref();
        let network = network.map(|source| (SourceKind::Network, source));
        network
            .into_iter()
            .chain(hour.map(|source| (SourceKind::AccountHour, source)))
    }
}

/// A burst whose votes wait.
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
