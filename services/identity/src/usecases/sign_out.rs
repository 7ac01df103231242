//! Sign out.

use super::forget;
use crate::{context::Context, domain::SessionToken, error::Error, store::sessions};

/// Ends a session; one that is gone is no error.
pub(crate) async fn sign_out(context: &Context, secret: &str) -> Result<(), Error> {
    let token = SessionToken::new(secret);
    sessions::delete(&context.pool, &token).await?;
    forget(context, &[token]).await;
    Ok(())
}
