//! Erases a reader's votes.

use chassis::{error::Fault, postgres::erased, readers::Erasure};
use cityguide_proto::readers::v1::EraseResponse;

use super::count_votes;
use crate::{context::Context, domain::Votes, store::ratings};

/// Kind of votes in receipts and exports.
pub(super) const RATINGS: &str = "ratings";
/// Number of votes deleted per transaction, which locks their places.
const BATCH: i64 = 100;

/// Deletes the reader's votes, adjusts the averages and deletes the stamp. Returns the total number of records that
/// this erasure has deleted.
pub(crate) async fn erase_reader(
    context: &Context,
    erasure: &Erasure,
) -> Result<EraseResponse, Fault> {
    erased::begin(&context.pool, erasure.profile_id, context.clock.now()).await?;
    while erase_some(context, erasure).await? == BATCH.unsigned_abs() {}
    context.stamps.erase(erasure).await?;
    Ok(erased::answer(&context.pool, erasure.id, Vec::new()).await?)
}

/// Deletes some votes; returns the number of their places.
async fn erase_some(context: &Context, erasure: &Erasure) -> Result<u64, Fault> {
    let profile_id = erasure.profile_id;
    let mut transaction = context.pool.begin().await?;
    // Places are always locked in the same order, to prevent deadlocks.
    let places = ratings::places_of(&mut transaction, profile_id, BATCH).await?;
    for listing_id in &places {
        ratings::hold(&mut transaction, *listing_id).await?;
    }
    let votes = ratings::erase(&mut transaction, profile_id, &places).await?;
    for vote in &votes {
        let (id, counted) = (vote.listing_id, vote.counted());
        count_votes(context, &mut transaction, id, counted, Votes::default()).await?;
    }
    let (id, rows, now) = (erasure.id, votes.len() as u64, context.clock.now());
    erased::add(&mut transaction, id, RATINGS, rows, now).await?;
    context.outbox.commit(transaction).await?;
    Ok(places.len() as u64)
}
