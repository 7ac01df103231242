//! A profile has another name: it stands beside the reader's photos too.

use chassis::{error::Fault, instant, postgres};
use cityguide_proto::events::v1::ProfileChanged;
use uuid::Uuid;

use super::announce;
use crate::{
    context::Context,
    store::{photos, uploaders},
};

/// Places in one event.
const EVENT_BATCH: usize = 1_000;

/// Changes the name, once, and announces the places whose photos show it.
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
        let places = photos::places_of_reader(&mut transaction, reader).await?;
        for places in places.chunks(EVENT_BATCH) {
            announce(context, &mut transaction, places).await?;
        }
    }
    context.outbox.commit(transaction).await?;
    Ok(())
}
