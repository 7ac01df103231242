//! Ensure that a place is a favourite.

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    error::{Code, Fault},
};
use cityguide_proto::places::v1::GetListingsRequest;

use super::stamp;
use crate::{
    context::Context,
    domain::{Kept, Kind, KnownListing, Touched},
    error::Error,
    store::{favourites, listings, stamps},
};

/// How long to ask places about one that no event has told of.
const ASK_WITHIN: Duration = Duration::from_secs(2);

/// A parallel create and delete of the same record can make a try see neither; a few more settle it.
const TRIES: usize = 5;

/// Makes the record, or answers the one that stands: 100 parallel calls make one.
pub(crate) async fn create_favourite(
    context: &Context,
    profile_id: i64,
    listing_id: i64,
) -> Result<Kept, Error> {
    for _ in 0..TRIES {
        if let Some(kept) = make(context, profile_id, listing_id).await? {
            return Ok(kept);
        }
        // What has been unpublished since stays kept until the reader removes it.
        if let Some(kept) = standing(context, profile_id, listing_id).await? {
            return Ok(kept);
        }
        if !is_available(context, listing_id).await? {
            return Err(Error::UnknownListing);
        }
    }
    Err(Fault::new(Code::Conflict, "The record changes too quickly; try again.").into())
}

/// The one transaction that nearly every call is: all it asks is asked by the insert.
async fn make(context: &Context, profile_id: i64, listing_id: i64) -> Result<Option<Kept>, Error> {
    let mut transaction = context.pool.begin().await?;
    let now = context.clock.now();
    let made = favourites::insert(&mut transaction, profile_id, listing_id, now).await?;
    let Some(record) = made else {
        transaction.rollback().await?;
        return Ok(None);
    };
    let stamp = stamp(context, &mut transaction, profile_id, Kind::Favourites, 1).await?;
    context.outbox.commit(transaction).await?;
    Ok(Some(Kept {
        id: record.id,
        created_at: record.created_at,
        is_new: true,
        stamp,
    }))
}

/// The record that stands already.
async fn standing(
    context: &Context,
    profile_id: i64,
    listing_id: i64,
) -> Result<Option<Kept>, Error> {
    let Some(record) = favourites::of_listing(&context.pool, profile_id, listing_id).await? else {
        return Ok(None);
    };
    let at = stamps::find(&context.pool, profile_id, Kind::Favourites)
        .await?
        .map_or(record.created_at, |stamp| stamp.at);
    Ok(Some(Kept {
        id: record.id,
        created_at: record.created_at,
        is_new: false,
        stamp: Touched {
            at,
            previous: Some(at),
        },
    }))
}

/// Whether it can be kept; one that no event has told of is asked for, and known from then on.
async fn is_available(context: &Context, listing_id: i64) -> Result<bool, Error> {
    if let Some(known) = listings::find(&context.pool, listing_id).await? {
        return Ok(known.is_available);
    }
    let call = Call::new(Caller::Operator, ASK_WITHIN);
    let found = context
        .places
        .clone()
        .get_listings(call.request(GetListingsRequest {
            ids: vec![listing_id],
        }))
        .await
        .map_err(Fault::from)?
        .into_inner();
    let Some(listing) = found.listings.into_iter().next() else {
        return Ok(false);
    };
    let known = KnownListing {
        id: listing.id,
        name: listing.name,
        is_available: true,
        version: 0,
    };
    let mut connection = context.pool.acquire().await?;
    listings::keep(&mut connection, &known).await?;
    Ok(true)
}
