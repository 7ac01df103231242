//! Signs out.

use super::{audit::record, forget};
use crate::{
    context::Context,
    domain::{Act, SessionToken},
    error::Error,
    store::sessions,
};

/// Ends a session; a missing session is not an error.
pub(crate) async fn sign_out(context: &Context, secret: &str) -> Result<(), Error> {
    let token = SessionToken::new(secret);
    let mut transaction = context.pool.begin().await?;
    if let Some(profile_id) = sessions::reader(&mut transaction, &token).await? {
        // Locks the account before the session, in the same order as an erasure.
        record(context, &mut transaction, profile_id, Act::SignedOut).await?;
        if sessions::delete(&mut transaction, &token).await? {
            transaction.commit().await?;
        }
    }
    forget(context, &[token]).await;
    Ok(())
}
