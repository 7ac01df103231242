//! `open_periods`: the open periods of opening hours, for lists of open places.

use std::ops::Range;

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::NaiveDateTime;
use sqlx::{PgPool, postgres::types::PgRange};

/// A block of places by id, with opening hours to compute.
pub(crate) struct Block {
    /// Greatest id of the block; `None` after the last place.
    pub(crate) last: Option<i64>,
    /// Opening hours whose stored periods end too early, without duplicates.
    pub(crate) hours: Vec<String>,
}

/// Returns the next places after an id, at most `limit`, with the opening hours whose periods end before a time.
#[sql("open_periods.lacking")]
pub(crate) async fn lacking(
    pool: &PgPool,
    after: i64,
    limit: i64,
    until: NaiveDateTime,
) -> Result<Block, sqlx::Error> {
    sqlx::query_as!(
        Block,
        r#"SELECT max(l.id) AS last,
            coalesce(array_agg(DISTINCT l.opening_hours) FILTER (
                WHERE l.opening_hours IS NOT NULL AND p.opening_hours IS NULL
            ), '{}') AS "hours!"
           FROM (SELECT id, opening_hours FROM listings WHERE id > $1 ORDER BY id LIMIT $2) l
           LEFT JOIN open_periods p ON p.opening_hours = l.opening_hours AND upper(p.covers) >= $3"#,
        after,
        limit,
        until,
    )
    .fetch_one(pool)
    .await
}

/// Opening hours with their open periods within a window.
pub(crate) struct Computed {
    pub(crate) hours: String,
    pub(crate) periods: Vec<Range<NaiveDateTime>>,
}

/// Stores periods of the same window, sorted by opening hours to prevent deadlocks between processes.
#[sql("open_periods.keep")]
pub(crate) async fn keep(
    pool: &PgPool,
    window: &Range<NaiveDateTime>,
    mut computed: Vec<Computed>,
) -> Result<(), sqlx::Error> {
    computed.sort_unstable_by(|one, other| one.hours.cmp(&other.hours));
    let (hours, periods): (Vec<_>, Vec<_>) = computed
        .into_iter()
        .map(|one| (one.hours, multirange(&one.periods)))
        .unzip();
    sqlx::query!(
        "INSERT INTO open_periods (opening_hours, covers, periods)
         SELECT hours, $1, periods::tsmultirange FROM unnest($2::text[], $3::text[]) AS c (hours, periods)
         ON CONFLICT (opening_hours) DO UPDATE SET covers = excluded.covers, periods = excluded.periods",
        PgRange::from(window.clone()),
        &hours,
        &periods,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes opening hours whose stored periods ended before this time; returns their number. Opening hours that places
/// still have are recomputed long before.
#[sql("open_periods.delete_over")]
pub(crate) async fn delete_over(pool: &PgPool, before: NaiveDateTime) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM open_periods WHERE opening_hours = ANY(ARRAY(
                SELECT opening_hours FROM open_periods WHERE upper(covers) < $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// Formats periods for PostgreSQL: sqlx supports ranges, but not multiranges.
fn multirange(periods: &[Range<NaiveDateTime>]) -> String {
    let each = periods
        .iter()
        .map(|period| format!("[{:?},{:?})", period.start, period.end));
    format!("{{{}}}", each.collect::<Vec<_>>().join(","))
}
