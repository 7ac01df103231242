//! Searches without results, which tell editors what is missing, and not who misses it.

use chassis::error::Fault;
use chrono::{DateTime, Datelike as _, Days, NaiveDate, Utc};

use suggestions::folded;

use super::find::check_text;
use crate::{
    context::Context,
    store::search::misses::{self, Miss, Missed},
};

/// Networks that must have searched for the same words in one week before they are known (k-anonymity).
const ENOUGH: i64 = 5;
/// Pairs of a search and a network that are counted in one week.
const MAX_KEPT: i64 = 100_000;
/// Weeks for which counts are kept.
const WEEKS: u64 = 8;
/// The longest words that are counted, in characters: what is longer is said by one person.
const MAX_QUERY: usize = 60;
/// The longest network, in bytes.
const MAX_NETWORK: usize = 64;
/// The most that are listed.
const LISTED: i64 = 200;

/// Counts a search for which there was nothing, made from a network.
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

/// The searches without results whose words are known, the most frequent first. What is to be forgotten is not listed.
pub(crate) async fn list(context: &Context) -> Result<Vec<Miss>, Fault> {
    forget(context).await?;
    Ok(misses::list(&context.pool, LISTED).await?)
}

/// Forgets what is no longer needed to count; returns how many searches.
pub(crate) async fn forget(context: &Context) -> Result<u64, Fault> {
    let this_week = week(context.clock.now());
    let oldest = this_week - Days::new(7 * WEEKS);
    Ok(misses::forget(&context.pool, this_week, oldest).await?)
}

/// The Monday of a week.
fn week(at: DateTime<Utc>) -> NaiveDate {
    let day = at.date_naive();
    day - Days::new(u64::from(day.weekday().num_days_from_monday()))
}
