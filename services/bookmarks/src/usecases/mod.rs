//! What can be done, one file each; each owns its transaction and appends its events.

pub(crate) mod create_favourite;
pub(crate) mod delete_favourite;
pub(crate) mod list_favourites;
pub(crate) mod map_favourites;
pub(crate) mod read_stamps;
pub(crate) mod retell_stamps;

use chassis::{
    bus::{exchange, key},
    instant,
};
use chrono::{DateTime, Utc};
use cityguide_proto::events::v1::LastUpdated;
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Kind, Touched},
    error::Error,
    store::stamps,
};

/// Stamps a change of a reader's things and tells of it, in the change's transaction.
async fn stamp(
    context: &Context,
    transaction: &mut PgConnection,
    profile_id: i64,
    kind: Kind,
    delta: i64,
) -> Result<Touched, Error> {
    let touched = stamps::touch(transaction, profile_id, kind, context.clock.now(), delta).await?;
    tell(context, transaction, profile_id, kind.as_str(), touched.at).await?;
    Ok(touched)
}

/// Appends the event that a reader's things of one kind last changed at an instant.
async fn tell(
    context: &Context,
    transaction: &mut PgConnection,
    profile_id: i64,
    kind: &str,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let event = LastUpdated {
        profile_id,
        kind: kind.to_owned(),
        at: Some(instant::to_proto(at)),
    };
    let (exchange, key) = (exchange::LAST_UPDATES, key::LAST_UPDATED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await?;
    Ok(())
}
