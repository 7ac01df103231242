//! Changes the reader's password.

use chassis::error::FieldError;

use super::{
    access::access,
    audit::{record, record_failure},
    forget, post,
};
use crate::{
    context::Context,
    domain::{Act, Fit, Purpose, SessionToken, check_new},
    error::Error,
    store::{mailed_links, profiles, sessions},
};

/// Changes the reader's password, ends every session except the current one, and revokes links to reset the old
/// password.
pub(crate) async fn change_password(
    context: &Context,
    profile_id: i64,
    current_password: &str,
    new_password: &str,
    own: &SessionToken,
) -> Result<(), Error> {
    let place = context.passwords.place()?;
    let profile = profiles::find(&context.pool, profile_id).await?;
    let stored = profiles::password_hash(&context.pool, profile_id).await?;
    let (profile, stored) = profile.zip(stored).ok_or(Error::NoSession)?;
    let errors = check_new(new_password, &profile.email, &profile.full_name);
    let errors = errors.into_iter();
    let mut errors: Vec<_> = errors
        .map(|message| FieldError::new("new_password", message))
        .collect();
    let fits = context
        .passwords
        .fits(place, current_password, Some(&stored));
    if current_password.is_empty() {
        let message = "This field may not be blank.";
        errors.push(FieldError::new("current_password", message));
    } else if fits.await? == Fit::No {
        record_failure(context, Some(profile_id), Act::PasswordCheckFailed).await?;
        errors.push(wrong_password());
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let place = context.passwords.place()?;
    let hash = context
        .passwords
        .hash(place, new_password, context.entropy.as_ref())
        .await?;
    let mut transaction = context.pool.begin().await?;
    if !profiles::replace_password(&mut transaction, profile_id, &stored, &hash).await? {
        // Another device changed the password first.
        return Err(Error::Invalid(vec![wrong_password()]));
    }
    record(context, &mut transaction, profile_id, Act::PasswordChanged).await?;
    let purpose = Some(Purpose::ResetPassword);
    mailed_links::revoke(&mut transaction, profile_id, purpose).await?;
    let ended = sessions::end_all(&mut transaction, profile_id, Some(own)).await?;
    let access = access(&mut transaction, &profile).await?;
    let notice = context
        .site
        .password_changed(&profile.email, &access.listed());
    post(context, &mut transaction, notice).await?;
    context.jobs.commit(transaction).await?;
    forget(context, &ended).await;
    Ok(())
}

pub(super) fn wrong_password() -> FieldError {
    FieldError::new("current_password", "This is not your current password.")
}
