//! Readers' votes: a reader has at most one vote for a place. The sum and count change in the same transaction; the
//! order of lists is updated a little later.

use chassis::error::Fault;
use chassis::postgres::stamps::Touched;
use sqlx::{PgConnection, Postgres, Transaction};
use vocabulary::saved::Kind;

use super::{bursts::find_burst, count_votes};
use crate::{
    context::Context,
    domain::{Origin, Rated, Rating, Stars, Votes},
    store::ratings,
};

/// Creates or changes a reader's vote for a place.
pub(crate) async fn rate(
    context: &Context,
    profile_id: i64,
    listing_id: i64,
    stars: Stars,
    origin: &Origin,
) -> Result<Rated, Fault> {
    let mut transaction = context.pool.begin().await?;
    let is_closed = ratings::hold(&mut transaction, listing_id).await?;
    let unknown = || Fault::invalid_field("listing", "Invalid pk - object does not exist.");
    refuse_closed(is_closed.ok_or_else(unknown)?)?;
    if let Some(before) = ratings::find(&mut *transaction, profile_id, listing_id).await? {
        return change(context, transaction, profile_id, before, stars).await;
    }
    let burst = find_burst(context, &mut transaction, listing_id, origin).await?;
    let announced = context.stamps.change(profile_id, Kind::Ratings, 1);
    let vote = (listing_id, stars);
    let made = ratings::insert(&mut transaction, &announced, vote, origin, burst).await?;
    let rating = Rating {
        id: made.id,
        listing_id,
        stars: stars.number(),
        date_created: made.created_at,
        is_counted: burst.is_none(),
    };
    let (before, after) = (Votes::default(), rating.counted());
    count_votes(context, &mut transaction, listing_id, before, after).await?;
    context.outbox.commit(transaction).await?;
    Ok(Rated {
        rating,
        is_new: true,
        stamp: made.touched(),
    })
}

/// Changes a reader's own vote.
pub(crate) async fn change_rating(
    context: &Context,
    profile_id: i64,
    id: i64,
    stars: Stars,
) -> Result<Rated, Fault> {
    let mut transaction = context.pool.begin().await?;
    let (before, is_closed) = hold_own(&mut transaction, profile_id, id).await?;
    refuse_closed(is_closed)?;
    change(context, transaction, profile_id, before, stars).await
}

/// Deletes a reader's own vote, even if the place has closed since.
pub(crate) async fn delete_rating(
    context: &Context,
    profile_id: i64,
    id: i64,
) -> Result<Touched, Fault> {
    let mut transaction = context.pool.begin().await?;
    let (before, _) = hold_own(&mut transaction, profile_id, id).await?;
    let announced = context.stamps.change(profile_id, Kind::Ratings, -1);
    let removed = ratings::remove(&mut transaction, &announced, id).await?;
    let (listing_id, counted) = (before.listing_id, before.counted());
    let none = Votes::default();
    count_votes(context, &mut transaction, listing_id, counted, none).await?;
    context.outbox.commit(transaction).await?;
    Ok(removed.touched())
}

fn refuse_closed(is_closed: bool) -> Result<(), Fault> {
    if is_closed {
        return Err(Fault::invalid_field("listing", "This place has closed."));
    }
    Ok(())
}

/// Locks the sums of a vote's place. Returns the reader's own vote and whether the place is closed.
async fn hold_own(
    transaction: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<(Rating, bool), Fault> {
    let own = ratings::own(transaction, profile_id, id).await?;
    let listing_id = own.ok_or_else(Fault::not_found)?.listing_id;
    let is_closed = ratings::hold(transaction, listing_id).await?;
    // Another request may have changed or deleted the vote while this one waited for the lock.
    let own = ratings::own(transaction, profile_id, id).await?;
    own.zip(is_closed).ok_or_else(Fault::not_found)
}

/// Changes a vote for a locked place and commits. An unchanged vote keeps the stamp of the last change.
async fn change(
    context: &Context,
    mut transaction: Transaction<'_, Postgres>,
    profile_id: i64,
    before: Rating,
    stars: Stars,
) -> Result<Rated, Fault> {
    let after = Rating {
        stars: stars.number(),
        ..before
    };
    let stamp = if after == before {
        // Releases the connection first: calls that wait for a second connection while they have one could deadlock.
        transaction.rollback().await?;
        let (stamps, made) = (&context.stamps, before.date_created);
        stamps.unchanged(profile_id, Kind::Ratings, made).await?
    } else {
        let announced = context.stamps.change(profile_id, Kind::Ratings, 0);
        let changed = ratings::change(&mut transaction, &announced, before.id, stars).await?;
        let (id, from, to) = (before.listing_id, before.counted(), after.counted());
        count_votes(context, &mut transaction, id, from, to).await?;
        context.outbox.commit(transaction).await?;
        changed.touched()
    };
    Ok(Rated {
        rating: after,
        is_new: false,
        stamp,
    })
}

/// Updates the order of lists after new votes; returns the number of places with new votes.
pub(crate) async fn rank_by_votes(context: &Context) -> Result<u64, Fault> {
    ratings::rank(&context.pool).await
}
