//! Saves an item, if it is not saved already.

use chassis::error::{Code, Fault};
use chassis::postgres::stamps::Touched;
use vocabulary::saved::Kind;

use super::{calendar::announce, learn::learn};
use crate::{
    context::Context,
    domain::{Saved, TargetKind},
    error::Error,
    store::{
        bookmarks::{self, Options, Record},
        targets,
    },
};

/// The number of attempts: during a concurrent create and delete of the same record, an attempt may find neither state.
pub(super) const TRIES: usize = 5;

/// Creates the record, or returns the existing one: concurrent calls create only one.
pub(crate) async fn create_bookmark(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    target_id: i64,
    add_to_calendar: bool,
) -> Result<Saved, Error> {
    let options = Options::of_new(kind, add_to_calendar);
    let target = TargetKind::of_bookmark(kind).ok_or(Error::UnknownKind)?;
    let target = (target, target_id);
    for _ in 0..TRIES {
        if let Some(saved) = insert(context, profile_id, kind, target, options).await? {
            return Ok(saved);
        }
        // A target that has since been unpublished remains saved until the reader removes it.
        let standing = bookmarks::find(&context.pool, profile_id, kind, target_id).await?;
        if let Some(record) = standing {
            return kept(context, profile_id, kind, record, options).await;
        }
        if !is_available(context, target).await? {
            return Err(Error::UnknownTarget(target.0));
        }
    }
    Err(changes_too_quickly())
}

/// The error if concurrent calls have changed the record during each attempt.
pub(super) fn changes_too_quickly() -> Error {
    Fault::new(Code::Conflict, "The record changes too quickly; try again.").into()
}

/// Handles an existing record: leaves it unchanged, or adds the calendar.
async fn kept(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    record: Record,
    options: Options,
) -> Result<Saved, Error> {
    let adds = options.add_to_calendar == Some(true) && record.add_to_calendar != Some(true);
    if adds {
        let change = context.stamps.change(profile_id, kind, 0);
        let mut transaction = context.pool.begin().await?;
        let changed = bookmarks::add_to_calendar(&mut transaction, &change, record.id).await?;
        if let Some(changed) = changed {
            let bookmark = (record.id, record.target_id);
            announce(context, &mut transaction, profile_id, bookmark, true).await?;
            context.outbox.commit(transaction).await?;
            return Ok(saved(record, changed.touched()));
        }
    }
    unchanged(context, profile_id, kind, record).await
}

/// The only statement in nearly every call: it checks the target and writes the record, the stamp and the event. An
/// event saved with the calendar needs a second statement, for the message about the calendar.
async fn insert(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    target: (TargetKind, i64),
    options: Options,
) -> Result<Option<Saved>, Error> {
    let change = context.stamps.change(profile_id, kind, 1);
    let made = if options.add_to_calendar == Some(true) {
        let mut transaction = context.pool.begin().await?;
        let made = bookmarks::insert(&mut *transaction, &change, target, options).await?;
        if let Some(made) = &made {
            let bookmark = (made.id, target.1);
            announce(context, &mut transaction, profile_id, bookmark, true).await?;
        }
        transaction.commit().await?;
        made
    } else {
        bookmarks::insert(&context.pool, &change, target, options).await?
    };
    let Some(made) = made else {
        return Ok(None);
    };
    context.outbox.wake();
    Ok(Some(Saved {
        id: made.id,
        target_id: target.1,
        created_at: made.created_at,
        is_done: options.is_done,
        is_new: true,
        stamp: made.touched(),
    }))
}

/// The result for an unchanged record, with the kind's last stamp.
pub(super) async fn unchanged(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    record: Record,
) -> Result<Saved, Error> {
    let stamps = &context.stamps;
    let stamp = stamps
        .unchanged(profile_id, kind, record.created_at)
        .await?;
    Ok(saved(record, stamp))
}

/// The result for an existing record, with a stamp of the kind.
pub(super) fn saved(record: Record, stamp: Touched) -> Saved {
    Saved {
        id: record.id,
        target_id: record.target_id,
        created_at: record.created_at,
        is_done: record.is_done,
        is_new: false,
        stamp,
    }
}

/// Whether a target can be saved. A target that no event has announced is requested from its owner and then stored.
async fn is_available(context: &Context, (kind, id): (TargetKind, i64)) -> Result<bool, Error> {
    if let Some(is_available) = targets::is_available(&context.pool, kind, id).await? {
        return Ok(is_available);
    }
    Ok(learn(context, kind, &[id]).await? > 0)
}
