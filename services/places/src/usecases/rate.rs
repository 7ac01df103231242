//! Readers' votes: each has one on a place, whose sum and count change in the same transaction. Lists are ordered by them
//! a little later.

use chassis::error::Fault;
use cityguide_proto::{events::v1::ListingRated, exchange, key};
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Rating, Shift, Stars},
    store::ratings,
};

/// Makes a reader's vote on a place, or changes it.
pub(crate) async fn rate(
    context: &Context,
    profile_id: i64,
    listing_id: i64,
    stars: Stars,
) -> Result<Rating, Fault> {
    let mut transaction = context.pool.begin().await?;
    let is_closed = ratings::hold(&mut transaction, listing_id).await?;
    if is_closed.ok_or_else(Fault::not_found)? {
        return Err(Fault::invalid_field("listing", "This place has closed."));
    }
    let before = ratings::find(&mut transaction, profile_id, listing_id).await?;
    let now = context.clock.now();
    let kept = ratings::keep(&mut transaction, profile_id, listing_id, stars, now).await?;
    let shift = Shift::between(before, Some(kept.stars));
    ratings::shift(&mut transaction, listing_id, shift).await?;
    announce(context, &mut transaction, listing_id).await?;
    context.outbox.commit(transaction).await?;
    Ok(Rating {
        is_new: before.is_none(),
        ..kept
    })
}

/// Takes a reader's own vote back; also on a place that has closed since.
pub(crate) async fn delete_rating(
    context: &Context,
    profile_id: i64,
    id: i64,
) -> Result<(), Fault> {
    let mut transaction = context.pool.begin().await?;
    let listing_id = ratings::place_of(&mut transaction, profile_id, id).await?;
    let listing_id = listing_id.ok_or_else(Fault::not_found)?;
    ratings::hold(&mut transaction, listing_id).await?;
    // Another request may have taken it back while this one waited for the place.
    let before = ratings::remove(&mut transaction, profile_id, id).await?;
    let shift = Shift::between(Some(before.ok_or_else(Fault::not_found)?), None);
    ratings::shift(&mut transaction, listing_id, shift).await?;
    announce(context, &mut transaction, listing_id).await?;
    context.outbox.commit(transaction).await?;
    Ok(())
}

/// Appends the event of a vote to its transaction. It is not the event of a changed place, which would drop every kept
/// list.
async fn announce(
    context: &Context,
    transaction: &mut PgConnection,
    listing_id: i64,
) -> Result<(), Fault> {
    let event = ListingRated { listing_id };
    let (exchange, key) = (exchange::CATALOG, key::LISTING_RATED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await?;
    Ok(())
}

/// Orders lists by the votes since the last time; returns on how many places there were any.
pub(crate) async fn rank_by_votes(context: &Context) -> Result<u64, Fault> {
    ratings::rank(&context.pool).await
}
