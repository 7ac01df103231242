//! `cityguide ratings`: decisions about bursts of votes.

use chassis::{
    call::{Call, Caller},
    instant,
};
use clap::Subcommand;
use places_proto::v1::{
    Burst, DecideBurstRequest, ListBurstsRequest, ratings_client::RatingsClient,
};

use super::{
    console::print,
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

/// Timeout of a call, which counts all votes of a burst.
const TIMEOUT: std::time::Duration = std::time::Duration::from_mins(1);

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Ratings {
    /// List the bursts of votes that await a decision, oldest first.
    Review,
    /// Count the votes of bursts.
    Accept {
        /// Ids from the list
        #[arg(required = true)]
        ids: Vec<i64>,
    },
    /// Refuse the votes of bursts permanently. Readers still see their own votes.
    Refuse {
        /// Ids from the list
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

pub(super) async fn ratings(settings: &Settings, what: Ratings) -> Result<(), String> {
    let system = Operated::connect(settings).await?;
    let mut ratings = RatingsClient::new(system.transport(Target::Places)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let (ids, accept) = match what {
        Ratings::Review => {
            let listed = ratings
                .list_bursts(call.request(ListBurstsRequest {}))
                .await;
            let bursts = listed.map_err(failure)?.into_inner().bursts;
            for burst in &bursts {
                print(&line(burst))?;
            }
            return print(&format!("{} bursts of votes wait", bursts.len()));
        }
        Ratings::Accept { ids } => (ids, true),
        Ratings::Refuse { ids } => (ids, false),
    };
    for id in ids {
        let request = call.request(DecideBurstRequest { id, accept });
        let decided = ratings.decide_burst(request).await;
        let decided = decided.map_err(|status| format!("{id}: {}", failure(status)))?;
        let (votes, verb) = (
            decided.into_inner().votes,
            if accept { "counted" } else { "refused" },
        );
        print(&format!("{id}: {votes} votes {verb}"))?;
    }
    Ok(())
}

/// Formats a burst as one line.
fn line(burst: &Burst) -> String {
    let counts = burst.counts.as_ref().and_then(instant::from_proto);
    let counts = counts.map_or_else(String::new, |at| at.format("%F %H:%M UTC").to_string());
    let Burst {
        id,
        listing_id,
        listing_name,
        source,
        votes,
        average,
        ..
    } = burst;
    format!(
        "{id}: {votes} votes of {average:.1} on {listing_name} (place {listing_id}) from {source}; they count on {counts}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_one_line_with_all_that_a_decision_needs() {
        let at = "2026-11-24T14:30:00Z".parse().expect("an instant");
        let burst = Burst {
            id: 7,
            listing_id: 12,
            listing_name: "Pai".to_owned(),
            source: "network 203.0.113.0/24".to_owned(),
            votes: 40,
            average: 1.04,
            begun: None,
            counts: Some(instant::to_proto(at)),
        };
        assert_eq!(
            line(&burst),
            "7: 40 votes of 1.0 on Pai (place 12) from network 203.0.113.0/24; they count on 2026-11-24 14:30 UTC"
        );
    }
}
