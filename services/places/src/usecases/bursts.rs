//! Bursts of votes for a place from one source: detection, decisions and counting.

use chassis::error::Fault;
use sqlx::PgConnection;

use super::count_votes;
use crate::{
    context::Context,
    domain::{Burst, KEPT, Origin, SourceKind, Votes},
    store::{bursts, ratings},
};

/// Number of votes counted per transaction.
const BATCH: i64 = 1_000;

/// Returns the burst that a new vote for a locked place belongs to; `None` if the vote counts immediately.
pub(super) async fn find_burst(
    context: &Context,
    transaction: &mut PgConnection,
    listing_id: i64,
    origin: &Origin,
) -> Result<Option<i64>, Fault> {
    let (rule, now) = (context.bursts, context.clock.now());
    for source in origin.sources() {
        let since = now - rule.within;
        let cast = ratings::from_source(transaction, listing_id, source, since, rule.most).await?;
        if cast < rule.most {
            continue;
        }
        let decided_since = now - rule.wait;
        let standing = bursts::last(transaction, listing_id, source, decided_since).await?;
        let id = match standing {
            Some(burst) if burst.is_accepted == Some(true) => continue,
            Some(burst) => burst.id,
            None => bursts::insert(transaction, listing_id, source, now).await?,
        };
        held(source.0).increment(1);
        return Ok(Some(id));
    }
    Ok(None)
}

/// Returns the counter of votes that were held back or rejected because of a source of this kind.
pub(crate) fn held(kind: SourceKind) -> metrics::Counter {
    metrics::counter!("votes_held_total", "source" => kind.as_str())
}

/// Returns the bursts whose votes are held back, oldest first.
pub(crate) async fn list_bursts(context: &Context) -> Result<Vec<Burst>, Fault> {
    Ok(bursts::waiting(&context.pool).await?)
}

/// Accepts or rejects a burst whose votes are held back; returns the number of its votes.
pub(crate) async fn decide_burst(context: &Context, id: i64, accept: bool) -> Result<i64, Fault> {
    let votes = bursts::decide(&context.pool, id, accept).await?;
    let votes = votes.ok_or_else(Fault::not_found)?;
    tracing::info!(
        burst = id,
        accept,
        votes,
        "an operator decided about a burst of votes"
    );
    count_accepted(context).await?;
    Ok(votes)
}

/// Accepts bursts that have been held back long enough, and adds the votes of accepted bursts to the sums of their
/// places; returns the number of these votes. After a crash, the next run adds the rest.
pub(crate) async fn settle_bursts(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.bursts.wait;
    bursts::accept_waiting(&context.pool, before).await?;
    count_accepted(context).await
}

async fn count_accepted(context: &Context) -> Result<u64, Fault> {
    let mut all = 0;
    while let Some(burst) = bursts::uncounted(&context.pool).await? {
        let mut transaction = context.pool.begin().await?;
        let listing_id = burst.listing_id;
        ratings::hold(&mut transaction, listing_id).await?;
        let counted = ratings::count_burst(&mut transaction, burst.id, BATCH).await?;
        let before = Votes::default();
        count_votes(context, &mut transaction, listing_id, before, counted).await?;
        context.outbox.commit(transaction).await?;
        all += counted.count.unsigned_abs();
    }
    Ok(all)
}

/// Deletes the origins of votes that are too old to count towards a burst, and old bursts; returns the total number of
/// both.
pub(crate) async fn forget_sources(context: &Context) -> Result<u64, Fault> {
    let now = context.clock.now();
    let votes = ratings::forget_sources(&context.pool, now - context.bursts.within).await?;
    let bursts = bursts::delete_old(&context.pool, now - KEPT).await?;
    Ok(votes + bursts)
}
