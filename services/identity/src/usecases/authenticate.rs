//! Find the reader of a session.

use std::time::Duration;

use bytes::Bytes;

use crate::{
    context::Context,
    domain::{SessionToken, TOUCH_AFTER},
    error::Error,
    store::sessions,
};

/// The lifetime of an answer in the shared cache; ending a session overwrites it at once.
pub(super) const CACHED: Duration = Duration::from_secs(30);
/// The cache's entry of a session that has ended.
pub(super) const ENDED: &[u8] = b"ended";

/// The profile of a live session; the call extends its lifetime.
pub(crate) async fn authenticate(context: &Context, secret: &str) -> Result<i64, Error> {
    let token = SessionToken::new(secret);
    match context.cache.get(&token.key()).await {
        Ok(Some(known)) if known == ENDED => return Err(Error::NoSession),
        Ok(Some(known)) => {
            if let Some(profile_id) = read_id(&known) {
                return Ok(profile_id);
            }
        }
        Ok(None) => {}
        Err(error) => tracing::debug!(%error, "sessions are read from the database"),
    }
    let now = context.clock.now();
    let live = sessions::live(&context.pool, &token, now)
        .await?
        .ok_or(Error::NoSession)?;
    if now - live.last_active_at >= TOUCH_AFTER {
        sessions::touch(&context.pool, &token, now).await?;
    }
    let value = Bytes::from(live.profile_id.to_string());
    // Only if there is no entry: a sign-out in between must not be overwritten.
    if let Err(error) = context
        .cache
        .set_if_absent(&token.key(), value, CACHED)
        .await
    {
        tracing::debug!(%error, "a session could not be cached");
    }
    Ok(live.profile_id)
}

fn read_id(cached: &[u8]) -> Option<i64> {
    std::str::from_utf8(cached).ok()?.parse().ok()
}
