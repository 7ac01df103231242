//! Lists the devices on which a reader is signed in.

use crate::{context::Context, domain::OpenSession, error::Error, store::sessions};

/// The reader's live sessions, the most recently active first.
pub(crate) async fn list_sessions(
    context: &Context,
    profile_id: i64,
) -> Result<Vec<OpenSession>, Error> {
    let now = context.clock.now();
    Ok(sessions::of_profile(&context.pool, profile_id, now).await?)
}
