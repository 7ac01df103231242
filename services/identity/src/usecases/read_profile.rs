//! Reads a reader's own profile.

use crate::{
    context::Context,
    domain::{LastUpdate, Profile},
    error::Error,
    store::{last_updates, profiles},
};

/// The profile and the copy of its last updates.
pub(crate) async fn read_profile(
    context: &Context,
    profile_id: i64,
) -> Result<(Profile, Vec<LastUpdate>), Error> {
    let profile = profiles::find(&context.pool, profile_id)
        .await?
        .ok_or(Error::NoSession)?;
    Ok((profile, last_updates::all(&context.pool, profile_id).await?))
}
