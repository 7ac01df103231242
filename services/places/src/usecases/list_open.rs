//! Places that are open at some time of a day.

use std::ops::Range;

use chassis::{
    computing::computed,
    error::Fault,
    instant,
    paging::{After, Page},
};
use chrono::{DateTime, NaiveDateTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;
use cityguide_proto::paging::v1::PageRequest;
use places_proto::v1::ListOpenRequest;

use super::request::read_zone;
use crate::{
    context::Context,
    domain::{Listing, ListingFilter, wall_clock},
    store::listings::{self, Listed},
};

/// Maximum number of places in the response.
const MAX_PLACES: usize = 1_000;
/// Number of places read at a time.
const BATCH: u32 = 500;
/// Maximum number of batches of reviewed places, and of others, so that the cost does not grow with the city.
const MAX_BATCHES: usize = 4;
/// A day on which the clocks are set back, with an hour to spare.
const MAX_WINDOW: TimeDelta = TimeDelta::hours(26);

/// A place with the times at which it is open.
pub(crate) struct Open {
    pub(crate) listing: Listing,
    pub(crate) periods: Vec<Range<DateTime<Utc>>>,
}

/// Returns the places that are open within a window: places of best-of lists by their best rank, then reviewed places,
/// then the others, each by rating.
pub(crate) async fn list_open(
    context: &Context,
    request: &ListOpenRequest,
) -> Result<Vec<Open>, Fault> {
    let missing = |field| Fault::invalid_field(field, "This field is required.");
    let zone = read_zone("zone", &request.zone)?.ok_or_else(|| missing("zone"))?;
    let [from, to] =
        [&request.from, &request.to].map(|at| at.as_ref().and_then(instant::from_proto));
    let window = from.ok_or_else(|| missing("from"))?..to.ok_or_else(|| missing("to"))?;
    if window.is_empty() || window.end - window.start > MAX_WINDOW {
        let why = "Ensure this is after `from`, by at most 26 hours.";
        return Err(Fault::invalid_field("to", why));
    }
    let mut candidates = candidates(context, true).await?;
    candidates.extend(self::candidates(context, false).await?);
    let mut open = computed("a computation of opening hours", move || {
        let local = wall_clock(window.start, zone)..wall_clock(window.end, zone);
        let each = candidates.into_iter().filter_map(|listing| {
            let periods = listing.opening_hours.as_ref()?.periods(&local);
            let periods = in_utc(periods, zone);
            (!periods.is_empty()).then_some(Open { listing, periods })
        });
        each.take(MAX_PLACES).collect::<Vec<_>>()
    })
    .await?;
    open.sort_by_key(|one| best_rank(&one.listing));
    Ok(open)
}

/// Returns places with or without a review, the best rated first.
async fn candidates(context: &Context, reviewed: bool) -> Result<Vec<Listing>, Fault> {
    let filter = ListingFilter {
        is_closed: Some(false),
        reviewed: Some(reviewed),
        ..ListingFilter::default()
    };
    let request = PageRequest {
        ordering: "-rating".to_owned(),
        limit: 1,
        ..PageRequest::default()
    };
    let mut page = Page::parse(Some(&request), listings::ORDERINGS)?;
    page.limit = BATCH;
    let mut found = Vec::new();
    for _ in 0..MAX_BATCHES {
        let rows = listings::list(&context.pool, &filter, &page).await?;
        // There are more rows if the statement returns one more than its limit.
        let is_last = rows.len() <= page.limit as usize;
        page.after = rows.last().map(|last| {
            let (key, id) = Listed::cursor(last);
            After { key, id }
        });
        let with_hours = rows
            .into_iter()
            .map(|row| row.listing)
            .filter(|listing| listing.opening_hours.is_some());
        found.extend(with_hours);
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// Converts local periods to instants and joins adjacent ones: periods end with their day, even if the place stays open.
fn in_utc(periods: Vec<Range<NaiveDateTime>>, zone: Tz) -> Vec<Range<DateTime<Utc>>> {
    let mut joined: Vec<Range<DateTime<Utc>>> = Vec::new();
    for period in periods {
        let [start, end] = [period.start, period.end].map(|local| {
            let at = zone.from_local_datetime(&local);
            // A time that a clock change skips is an hour later.
            let after = || zone.from_local_datetime(&(local + TimeDelta::hours(1)));
            at.earliest().or_else(|| after().earliest())
        });
        let Some((start, end)) = start.zip(end) else {
            continue;
        };
        let period = start.to_utc()..end.to_utc();
        match joined.last_mut() {
            Some(last) if last.end >= period.start => last.end = last.end.max(period.end),
            _ if !period.is_empty() => joined.push(period),
            _ => {}
        }
    }
    joined
}

/// The best rank of a place in best-of lists; unranked places are last.
fn best_rank(listing: &Listing) -> i32 {
    let ranks = listing.rankings.iter().map(|ranking| ranking.rank);
    ranks.min().unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_joined_across_midnight_and_follow_clock_changes() {
        let local = |text: &str| text.parse::<NaiveDateTime>().expect("a local time");
        let joined = |periods: &[(&str, &str)]| {
            let periods = periods.iter().map(|(from, to)| local(from)..local(to));
            let joined = in_utc(periods.collect(), chrono_tz::America::Toronto);
            let each = joined
                .iter()
                .map(|period| format!("{:?} {:?}", period.start, period.end));
            each.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(
            joined(&[
                ("2026-06-05T18:00:00", "2026-06-06T00:00:00"),
                ("2026-06-06T00:00:00", "2026-06-06T02:00:00"),
                ("2026-06-06T03:00:00", "2026-06-06T04:00:00"),
            ]),
            "2026-06-05T22:00:00Z 2026-06-06T06:00:00Z, 2026-06-06T07:00:00Z 2026-06-06T08:00:00Z"
        );
        // In the night of 14 March 2027, the clocks go from 2 to 3 a.m.
        assert_eq!(
            joined(&[("2027-03-13T20:00:00", "2027-03-14T02:30:00")]),
            "2027-03-14T01:00:00Z 2027-03-14T07:30:00Z"
        );
        assert_eq!(
            joined(&[("2027-03-14T02:10:00", "2027-03-14T02:10:00")]),
            ""
        );
    }
}
