//! Sign out.

use bytes::Bytes;

use super::authenticate::{CACHED, ENDED};
use crate::{context::Context, domain::SessionToken, error::Error, store::sessions};

/// Ends a session; one that is gone is no error. The cache is written last, with an entry that no reader of
/// the database overwrites, so a session read just before cannot come back.
pub(crate) async fn sign_out(context: &Context, secret: &str) -> Result<(), Error> {
    let token = SessionToken::new(secret);
    sessions::delete(&context.pool, &token).await?;
    if let Err(error) = context
        .cache
        .set(&token.key(), Bytes::from_static(ENDED), CACHED * 2)
        .await
    {
        tracing::warn!(%error, "a sign-out did not reach the cache; its entry expires by itself");
    }
    Ok(())
}
