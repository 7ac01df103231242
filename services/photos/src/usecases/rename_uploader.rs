//! Updates a changed profile name, which is also shown with the reader's photos.

use chassis::{error::Fault, instant, postgres};
use cityguide_proto::events::v1::ProfileChanged;
use uuid::Uuid;

use super::announce_places_of;
use crate::{context::Context, store::uploaders};

/// Changes an uploader's name, once per event, and announces the places whose photos show it.
pub(crate) async fn rename_uploader(
    context: &Context,
    (queue, event_id): (&str, Uuid),
    change: &ProfileChanged,
) -> Result<(), Fault> {
    let at = change.at.as_ref().and_then(instant::from_proto);
    let at = at.unwrap_or_default();
    let mut transaction = context.pool.begin().await?;
    let now = context.clock.now();
    if !postgres::first_time(&mut transaction, queue, event_id, now).await? {
        return Ok(());
    }
    let (reader, name) = (change.profile_id, &change.full_name);
    if uploaders::rename(&mut transaction, reader, name, at).await? {
        announce_places_of(context, &mut transaction, reader).await?;
    }
    context.outbox.commit(transaction).await?;
    Ok(())
}
