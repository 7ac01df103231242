//! Stores near occurrences of recurring events.

use chassis::error::Fault;

use super::near;
use crate::{
    context::Context,
    domain::Detail,
    store::occurrences::{recurring, replace},
};

/// Expands all recurring events again; returns their number.
pub(crate) async fn expand_events(context: &Context) -> Result<u64, Fault> {
    let mut transaction = context.pool.begin().await?;
    let events = recurring(&mut transaction).await?;
    let mut expanded = 0;
    for event in events {
        let Detail::Event(detail) = event.detail.0 else {
            continue;
        };
        match near(&detail.schedule, context.clock.now()) {
            Ok(occurrences) => {
                replace(&mut transaction, event.id, &occurrences).await?;
                expanded += 1;
            }
            Err(error) => {
                tracing::error!(id = event.id, error, "a stored event cannot be expanded");
            }
        }
    }
    transaction.commit().await?;
    Ok(expanded)
}
