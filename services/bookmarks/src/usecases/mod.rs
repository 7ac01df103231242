//! What can be done, one file each; each owns its transaction and appends its events.

pub(crate) mod create_favourite;
pub(crate) mod delete_favourite;
pub(crate) mod list_favourites;
pub(crate) mod map_favourites;
pub(crate) mod read_stamps;

use chassis::{
    bus::{exchange, key},
    instant,
};
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
    let event = LastUpdated {
        profile_id,
        kind: kind.as_str().to_owned(),
        at: Some(instant::to_proto(touched.at)),
    };
    context
        .outbox
        .append(
            transaction,
            exchange::LAST_UPDATES,
            key::LAST_UPDATED,
            &event,
        )
        .await?;
    Ok(touched)
}
