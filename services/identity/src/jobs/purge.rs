//! Deletes expired data: sessions, mailed links, records of passkey ceremonies, receipts, audit log entries and
//! calendar data.

use chassis::error::Fault;

use crate::{
    context::Context,
    store::{
        audit_entries, calendar_authorizations, calendar_entries, erasures, facebook_links,
        mailed_links, sessions, used_ceremonies,
    },
};

/// Deletes ended sessions; returns how many.
pub(crate) async fn purge_sessions(context: &Context) -> Result<u64, Fault> {
    sessions::delete_ended(&context.pool, context.clock.now()).await
}

/// Deletes links that no longer work; returns how many.
pub(crate) async fn purge_links(context: &Context) -> Result<u64, Fault> {
    mailed_links::delete_expired(&context.pool, context.clock.now()).await
}

/// Deletes records of ceremonies that have expired; returns how many.
pub(crate) async fn purge_ceremonies(context: &Context) -> Result<u64, Fault> {
    used_ceremonies::delete_expired(&context.pool, context.clock.now()).await
}

/// Deletes receipts and outcomes of Facebook's deletion requests that can no longer be read; returns how many.
pub(crate) async fn purge_receipts(context: &Context) -> Result<u64, Fault> {
    let (pool, now) = (&context.pool, context.clock.now());
    let receipts = erasures::delete_old(pool, now).await?;
    Ok(receipts + facebook_links::delete_old_deletions(pool, now).await?)
}

/// Deletes entries of the audit log that are too old; returns how many.
pub(crate) async fn purge_audit(context: &Context) -> Result<u64, Fault> {
    audit_entries::delete_old(&context.pool, context.clock.now() - context.audit_kept).await
}

/// Deletes ended calendar authorisations, and bookmarks that were removed from calendars long ago; returns how many.
pub(crate) async fn purge_calendars(context: &Context) -> Result<u64, Fault> {
    let (pool, now) = (&context.pool, context.clock.now());
    let authorizations = calendar_authorizations::delete_old(pool, now).await?;
    Ok(authorizations + calendar_entries::delete_old(pool, now).await?)
}
