//! Finds the reader of a session.

use std::time::Duration;

use bytes::Bytes;
use chrono::DateTime;

use crate::{
    context::Context,
    domain::{Account, SessionToken, TOUCH_AFTER},
    error::Error,
    store::sessions,
};

/// The lifetime of a session in the shared cache; ending the session overwrites the entry immediately.
pub(super) const CACHED: Duration = Duration::from_secs(30);
/// The cache entry of an ended session.
pub(super) const ENDED: &[u8] = b"ended";

/// The account of a live session; the call extends its lifetime.
pub(crate) async fn authenticate(context: &Context, secret: &str) -> Result<Account, Error> {
    let token = SessionToken::new(secret);
    match context.cache.get(&token.key()).await {
        Ok(Some(known)) if known == ENDED => return Err(Error::NoSession),
        Ok(Some(known)) => {
            if let Some(account) = read(&known) {
                return Ok(account);
            }
        }
        Ok(None) => {}
        Err(error) => {
            tracing::debug!(%error, "the session cache is unavailable; reading the session from the database");
        }
    }
    let now = context.clock.now();
    let live = sessions::live(&context.pool, &token, now)
        .await?
        .ok_or(Error::NoSession)?;
    if now - live.last_active_at >= TOUCH_AFTER {
        sessions::touch(&context.pool, &token, now).await?;
    }
    let account = Account {
        profile_id: live.profile_id,
        created_at: live.account_created_at,
    };
    // Only if there is no entry: a concurrent sign-out must not be overwritten.
    if let Err(error) = context
        .cache
        .set_if_absent(&token.key(), write(account), CACHED)
        .await
    {
        tracing::debug!(%error, "a session could not be cached");
    }
    Ok(account)
}

/// Encodes an account for the cache: its id and creation time in milliseconds.
fn write(account: Account) -> Bytes {
    let created_at = account.created_at.timestamp_millis();
    format!("{} {created_at}", account.profile_id).into()
}

/// Decodes a cache entry; `None` if it has another form.
fn read(cached: &[u8]) -> Option<Account> {
    let (profile_id, created_at) = std::str::from_utf8(cached).ok()?.split_once(' ')?;
    Some(Account {
        profile_id: profile_id.parse().ok()?,
        created_at: DateTime::from_timestamp_millis(created_at.parse().ok()?)?,
    })
}
