//! Searches without results, which show editors missing content without identifying readers.

use chassis::error::Fault;
use chrono::{DateTime, Datelike as _, Days, NaiveDate, Utc};

use suggestions::folded;

use super::find::check_text;
use crate::{
    context::Context,
    store::search::misses::{self, Miss, Missed},
};

/// Number of networks that must have searched for the same words in a week before the words are revealed (k-anonymity).
const ENOUGH: i64 = 5;
/// Maximum number of pairs of search and network counted per week.
const MAX_KEPT: i64 = 100_000;
/// Number of weeks for which counts are kept.
const WEEKS: u64 = 8;
/// Maximum length of counted queries, in characters: longer queries are unique to a person.
const MAX_QUERY: usize = 60;
/// Maximum length of a network, in bytes.
const MAX_NETWORK: usize = 64;
/// Maximum number of listed searches.
const LISTED: i64 = 200;

/// Counts a search without results from a network.
pub(crate) async fn note(context: &Context, text: &str, network: &str) -> Result<(), Fault> {
    check_text(text)?;
    if network.is_empty() || network.len() > MAX_NETWORK {
        return Err(Fault::invalid_field("network", "Name a network."));
    }
    let query = folded(text).join(" ");
    if query.is_empty() || query.chars().count() > MAX_QUERY {
        return Ok(());
    }
    let missed = Missed {
        week: week(context.clock.now()),
        query: &query,
        network,
    };
    if misses::note(&context.pool, missed, ENOUGH, MAX_KEPT).await? {
        metrics::counter!("search_misses_total").increment(1);
    }
    Ok(())
}

/// Returns the searches whose words are revealed, most frequent first. Deletes expired searches first.
pub(crate) async fn list(context: &Context) -> Result<Vec<Miss>, Fault> {
    forget(context).await?;
    Ok(misses::list(&context.pool, LISTED).await?)
}

/// Deletes data that is no longer needed for counting; returns the number of searches.
pub(crate) async fn forget(context: &Context) -> Result<u64, Fault> {
    let this_week = week(context.clock.now());
    let oldest = this_week - Days::new(7 * WEEKS);
    Ok(misses::forget(&context.pool, this_week, oldest).await?)
}

/// Returns the Monday of the week that contains `at`.
fn week(at: DateTime<Utc>) -> NaiveDate {
    let day = at.date_naive();
    day - Days::new(u64::from(day.weekday().num_days_from_monday()))
}
