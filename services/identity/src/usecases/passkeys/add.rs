//! Adds a passkey to an account.

use super::keep;
use crate::{
    context::Context,
    domain::{Act, Answer, MAX_PASSKEYS, Passkey},
    error::Error,
    store::{passkeys, profiles},
    usecases::{audit::record, device_text, post},
};

/// Adds a passkey to the reader's account, and notifies its address.
pub(crate) async fn add(
    context: &Context,
    profile_id: i64,
    answer: &Answer,
    device: &str,
) -> Result<Passkey, Error> {
    let now = context.clock.now();
    let party = context.relying_party()?;
    let made = party.finish_registration(answer, Some(profile_id), now)?;
    let device = device_text(device);
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    let known = passkeys::of_profile(&mut *transaction, profile_id).await?;
    if i64::try_from(known.len()).unwrap_or(i64::MAX) >= MAX_PASSKEYS {
        return Err(Error::TooManyPasskeys);
    }
    // Two devices may both have started with a new user id for an account that had none.
    if !profiles::keep_user_handle(&mut transaction, profile_id, made.user_handle).await? {
        return Err(Error::StaleCeremony);
    }
    let id = keep(&mut transaction, profile_id, &made, &device, now).await?;
    record(context, &mut transaction, profile_id, Act::PasskeyAdded).await?;
    let notice = context.site.passkey_added(&profile.email);
    post(context, &mut transaction, notice).await?;
    context.jobs.commit(transaction).await?;
    Ok(Passkey {
        id,
        credential: made.credential,
        device,
        created_at: now,
        last_used_at: None,
    })
}
