//! `open_periods`: when opening hours mean open, so that a list can be asked for open places.

use std::ops::Range;

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::NaiveDateTime;
use sqlx::{PgPool, postgres::types::PgRange};

/// A block of places by id, in which the hours of some are to be computed.
pub(crate) struct Block {
    /// Its greatest id; `None` at the end of all places.
    pub(crate) last: Option<i64>,
    /// The hours whose periods do not reach far enough, each once.
    pub(crate) hours: Vec<String>,
}

/// The next places after an id, at most `limit`, with the hours whose periods end before a time.
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

/// Hours with the periods within a window in which they mean open.
pub(crate) struct Computed {
    pub(crate) hours: String,
    pub(crate) periods: Vec<Range<NaiveDateTime>>,
}

/// Stores periods, all of one window. In the order of their hours, so that two processes that store the same do not
/// wait for each other in a circle.
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

/// Deletes the periods of hours that are over; returns how many hours. Hours that a place still has are computed anew
/// long before.
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

/// As PostgreSQL reads it: sqlx knows ranges, but no multiranges.
fn multirange(periods: &[Range<NaiveDateTime>]) -> String {
    let each = periods
        .iter()
        .map(|period| format!("[{:?},{:?})", period.start, period.end));
    format!("{{{}}}", each.collect::<Vec<_>>().join(","))
}
