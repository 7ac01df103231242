//! Deletes what has expired: sessions and mailed links.

use chassis::error::Fault;

use crate::{
    context::Context,
    store::{mailed_links, sessions},
};

/// Deletes ended sessions; returns how many.
pub(crate) async fn purge_sessions(context: &Context) -> Result<u64, Fault> {
    sessions::delete_ended(&context.pool, context.clock.now()).await
}

/// Deletes links that no longer work; returns how many.
pub(crate) async fn purge_links(context: &Context) -> Result<u64, Fault> {
    mailed_links::delete_expired(&context.pool, context.clock.now()).await
}
