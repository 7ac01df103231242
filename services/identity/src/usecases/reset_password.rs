//! Sets a new password with a mailed link.

use chassis::error::FieldError;

use super::{audit::record, change_profile::announce_profile, forget, post};
use crate::{
    context::Context,
    domain::{Act, LinkToken, Purpose, check_new},
    error::Error,
    store::{
        mailed_links::{self, Link},
        profiles, sessions,
    },
};

/// Uses a link, sets the password and ends every session of the account; returns the account's address. If the password
/// breaks the rules, the link remains valid.
pub(crate) async fn reset_password(
    context: &Context,
    secret: &str,
    new_password: &str,
) -> Result<String, Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let purpose = Purpose::ResetPassword;
    let link = mailed_links::find(&context.pool, &token, purpose, now).await?;
    let Link { profile_id, .. } = link.ok_or(Error::NoLink)?;
    let profile = profiles::find(&context.pool, profile_id).await?;
    let profile = profile.ok_or(Error::NoLink)?;
    let errors = check_new(new_password, &profile.email, &profile.full_name);
    if !errors.is_empty() {
        let errors = errors.into_iter();
        let named = errors.map(|message| FieldError::new("new_password", message));
        return Err(Error::Invalid(named.collect()));
    }
    let place = context.passwords.place()?;
    let hash = context
        .passwords
        .hash(place, new_password, context.entropy.as_ref())
        .await?;
    let mut transaction = context.pool.begin().await?;
    let link = mailed_links::take(&mut transaction, &token, purpose, now).await?;
    let Link { profile_id, email } = link.ok_or(Error::NoLink)?;
    profiles::reset_password(&mut transaction, profile_id, &email, &hash).await?;
    record(context, &mut transaction, profile_id, Act::PasswordReset).await?;
    // The link has confirmed an address that was not confirmed before.
    if !profile.email_verified {
        announce_profile(context, &mut transaction, profile_id).await?;
    }
    mailed_links::revoke(&mut transaction, profile_id, None).await?;
    let ended = sessions::end_all(&mut transaction, profile_id, None).await?;
    let notice = context.site.password_changed(&profile.email);
    post(context, &mut transaction, notice).await?;
    context.jobs.commit(transaction).await?;
    context.outbox.wake();
    forget(context, &ended).await;
    Ok(profile.email)
}
