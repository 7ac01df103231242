//! Ensure that something is saved.

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    error::{Code, Fault},
    saved::{Kind, Touched},
};
use cityguide_proto::places::v1::GetListingsRequest;

use crate::{
    context::Context,
    domain::{Saved, Target, TargetKind},
    error::Error,
    store::{bookmarks, targets},
};

/// The timeout of asking the places service about a place that no event has announced yet.
const ASK_TIMEOUT: Duration = Duration::from_secs(2);

/// A parallel create and delete of the same record can make an attempt see neither; a few more attempts
/// settle it.
const TRIES: usize = 5;

/// Creates the record, or returns the existing one: 100 parallel calls create one.
pub(crate) async fn create_bookmark(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    target_id: i64,
) -> Result<Saved, Error> {
    let target = TargetKind::of_bookmark(kind).ok_or(Error::UnknownKind)?;
    let target = (target, target_id);
    for _ in 0..TRIES {
        if let Some(saved) = insert(context, profile_id, kind, target).await? {
            return Ok(saved);
        }
        // A target that has been unpublished since stays saved until the reader removes it.
        if let Some(saved) = standing(context, profile_id, kind, target_id).await? {
            return Ok(saved);
        }
        if !is_available(context, target).await? {
            return Err(Error::UnknownTarget(target.0));
        }
    }
    Err(Fault::new(Code::Conflict, "The record changes too quickly; try again.").into())
}

/// The only statement of nearly every call: it checks the target, and writes the record, the stamp and the event.
async fn insert(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    target: (TargetKind, i64),
) -> Result<Option<Saved>, Error> {
    let change = context.stamps.change(profile_id, kind, 1);
    let Some(made) = bookmarks::insert(&context.pool, &change, target).await? else {
        return Ok(None);
    };
    context.outbox.wake();
    Ok(Some(Saved {
        id: made.id,
        created_at: made.created_at,
        is_new: true,
        stamp: made.touched(),
    }))
}

/// The record that exists already.
async fn standing(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    target_id: i64,
) -> Result<Option<Saved>, Error> {
    let found = bookmarks::find(&context.pool, profile_id, kind, target_id).await?;
    let Some(record) = found else {
        return Ok(None);
    };
    let stamp = context.stamps.find(profile_id, kind).await?;
    let at = stamp.map_or(record.created_at, |stamp| stamp.at);
    Ok(Some(Saved {
        id: record.id,
        created_at: record.created_at,
        is_new: false,
        stamp: Touched {
            at,
            previous: Some(at),
        },
    }))
}

/// Whether a target can be saved. The places service is asked about a place that no event has announced, and
/// it is known from then on.
async fn is_available(context: &Context, (kind, id): (TargetKind, i64)) -> Result<bool, Error> {
    if let Some(is_available) = targets::is_available(&context.pool, kind, id).await? {
        return Ok(is_available);
    }
    if kind != TargetKind::Listing {
        return Ok(false);
    }
    let call = Call::new(Caller::Operator, ASK_TIMEOUT);
    let request = call.request(GetListingsRequest { ids: vec![id] });
    let found = context.places.clone().get_listings(request).await;
    let listings = found.map_err(Fault::from)?.into_inner().listings;
    let Some(listing) = listings.into_iter().next() else {
        return Ok(false);
    };
    let target = Target {
        kind: kind.as_str().to_owned(),
        id: listing.id,
        name: listing.name,
        is_available: true,
        date_published: None,
        version: 0,
    };
    let mut connection = context.pool.acquire().await?;
    targets::keep(&mut connection, &[target]).await?;
    Ok(true)
}
