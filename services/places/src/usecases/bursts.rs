//! Bursts of votes on one place from one source: told, decided about, and counted in the end.

use chassis::error::Fault;
use sqlx::PgConnection;

use super::count_votes;
use crate::{
    context::Context,
    domain::{Burst, KEPT, Origin, SourceKind, Votes},
    store::{bursts, ratings},
};

/// Votes that are counted in one transaction.
const BATCH: i64 = 1_000;

/// The burst that a new vote on a locked place belongs to, and waits or is refused with; `None` if it counts at once.
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

/// The votes that were not counted at once since the start of this process.
pub(crate) fn held(kind: SourceKind) -> metrics::Counter {
    metrics::counter!("votes_held_total", "source" => kind.as_str())
}

/// The bursts whose votes wait, the oldest first.
pub(crate) async fn list_bursts(context: &Context) -> Result<Vec<Burst>, Fault> {
    Ok(bursts::waiting(&context.pool).await?)
}

/// Decides about a burst whose votes wait; returns their number.
pub(crate) async fn decide_burst(context: &Context, id: i64, accept: bool) -> Result<i64, Fault> {
    let votes = bursts::decide(&context.pool, id, accept).await?;
    let votes = votes.ok_or_else(Fault::not_found)?;
    tracing::info!(burst = id, accept, votes, "a burst of votes is decided");
    count_accepted(context).await?;
    Ok(votes)
}

/// Counts the votes of bursts that were accepted, or that have waited long enough; returns how many. A process that dies
/// in between leaves the rest to the next time.
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

/// Forgets the sources of votes that no longer tell a burst, and old bursts; returns how many there were.
pub(crate) async fn forget_sources(context: &Context) -> Result<u64, Fault> {
    let now = context.clock.now();
    let votes = ratings::forget_sources(&context.pool, now - context.bursts.within).await?;
    let bursts = bursts::delete_old(&context.pool, now - KEPT).await?;
    Ok(votes + bursts)
}
