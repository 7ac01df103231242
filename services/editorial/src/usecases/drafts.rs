//! Drafts, and editors' decisions to publish them.

use std::collections::BTreeSet;

use chassis::{
    actor::Actor,
    error::{Code, Fault},
    postgres::lock_until_commit,
};
use sqlx::PgConnection;

use super::{announce_recounted, import::LOCK};
use crate::{
    context::Context,
    domain::{Draft, DraftText},
    store::{
        drafts::{self, Locked},
        turns,
    },
};

/// Maximum number of drafts in a list and in a decision.
const MAX: u8 = 200;

/// Returns the latest drafts and the number of all drafts.
pub(crate) async fn list_drafts(context: &Context) -> Result<(Vec<Draft>, u64), Fault> {
    let (listed, count) = drafts::list(&context.pool, MAX.into()).await?;
    Ok((listed, count.unsigned_abs()))
}

/// Returns a draft with its text, even after its publication.
pub(crate) async fn show_draft(context: &Context, id: i64) -> Result<DraftText, Fault> {
    let found = drafts::find(&context.pool, id).await?;
    found.ok_or_else(|| no_draft(id))
}

/// Publishes drafts from their dates on, regardless of later imports: all of them or none. Waits for a running import.
pub(crate) async fn publish_drafts(context: &Context, ids: &[i64]) -> Result<Vec<Draft>, Fault> {
    let mut transaction = context.pool.begin().await?;
    let ids = locked(&mut transaction, ids, |item| {
        if !item.is_draft {
            return Err(no_draft(item.id));
        }
        if item.is_of_a_file {
            let message = format!(
                "{} is a draft because its file says so: {}",
                item.id, item.source_id
            );
            return Err(Fault::new(Code::Conflict, message));
        }
        Ok(())
    })
    .await?;
    let by = Actor::current().operator;
    let by = by.as_deref().unwrap_or("unknown");
    let now = context.clock.now();
    drafts::release(&mut transaction, &ids, by, now).await?;
    let recounted = turns::turn(&mut transaction, now).await?;
    announce_recounted(context, &mut transaction, &recounted).await?;
    let published = drafts::among(&mut transaction, &ids).await?;
    context.outbox.commit(transaction).await?;
    Ok(published)
}

/// Turns published items into drafts again: all of them or none.
pub(crate) async fn withdraw_drafts(context: &Context, ids: &[i64]) -> Result<Vec<Draft>, Fault> {
    let mut transaction = context.pool.begin().await?;
    let ids = locked(&mut transaction, ids, |item| {
        if item.is_released {
            Ok(())
        } else {
            let message = format!("{} is no draft that was published", item.id);
            Err(Fault::new(Code::Conflict, message))
        }
    })
    .await?;
    let recounted = drafts::withdraw(&mut transaction, &ids, context.clock.now()).await?;
    announce_recounted(context, &mut transaction, &recounted).await?;
    let withdrawn = drafts::among(&mut transaction, &ids).await?;
    context.outbox.commit(transaction).await?;
    Ok(withdrawn)
}

/// Locks the items of a decision, without duplicates, against imports and other decisions. Fails if an item is missing
/// or rejected by `pass`.
async fn locked(
    transaction: &mut PgConnection,
    ids: &[i64],
    pass: impl Fn(&Locked) -> Result<(), Fault>,
) -> Result<Vec<i64>, Fault> {
    let ids: BTreeSet<i64> = ids.iter().copied().collect();
    if ids.is_empty() || ids.len() > MAX.into() {
        let message = format!("A decision is about 1 to {MAX} drafts.");
        return Err(Fault::new(Code::Invalid, message));
    }
    let ids: Vec<i64> = ids.into_iter().collect();
    lock_until_commit(&mut *transaction, LOCK).await?;
    let items = drafts::lock(transaction, &ids).await?;
    if let Some(missing) = ids
        .iter()
        .find(|id| items.iter().all(|item| item.id != **id))
    {
        return Err(no_draft(*missing));
    }
    items.iter().try_for_each(pass)?;
    Ok(ids)
}

fn no_draft(id: i64) -> Fault {
    Fault::new(Code::NotFound, format!("{id} is no draft"))
}
