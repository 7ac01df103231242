//! Sets a new password with a mailed link.

use chassis::{email::Email, error::FieldError};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{
    access::{access, end_access, end_feed_and_authorizations},
    audit::record,
    change_profile::announce_profile,
    claim, forget, post,
};
use crate::{
    context::Context,
    domain::{Access, Act, LinkToken, Profile, Purpose, check_new},
    error::Error,
    store::{
        mailed_links::{self, Link},
        profiles, sessions,
    },
};

/// Whether a link can set a new password. The link is not used up.
pub(crate) async fn is_valid_link(context: &Context, secret: &str) -> Result<bool, Error> {
    match find(context, &LinkToken::new(secret), context.clock.now()).await {
        Ok(_) => Ok(true),
        Err(Error::NoLink) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Uses a link, sets the password and ends every session of the account, its calendar feed and pending authorisations;
/// returns the account's address and what still gives access to it. If the address was not confirmed before, somebody
/// else may have created the account, so that everything that gave access to it ends, unless the caller (`reader`) is
/// signed in to the account. A link that undoes a change of address also restores the address, and everything that gave
/// access to the account ends: somebody else has changed it. If the password breaks the rules, the link remains valid.
pub(crate) async fn reset_password(
    context: &Context,
    secret: &str,
    new_password: &str,
    reader: Option<i64>,
) -> Result<(String, Access), Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let (Link { profile_id, .. }, purpose) = find(context, &token, now).await?;
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
    // Locks the account before its link, in the same order as an erasure.
    let before = profiles::lock(&mut transaction, profile_id).await?;
    let before = before.ok_or(Error::NoLink)?;
    let link = mailed_links::take(&mut transaction, &token, purpose, now).await?;
    let Link {
        email, created_at, ..
    } = link.ok_or(Error::NoLink)?;
    let is_undone = purpose == Purpose::UndoEmail;
    if is_undone {
        restore(context, &mut transaction, profile_id, &email).await?;
        mailed_links::revoke_restoring(&mut transaction, profile_id, created_at).await?;
    }
    profiles::reset_password(&mut transaction, profile_id, &email, &hash).await?;
    record(context, &mut transaction, profile_id, Act::PasswordReset).await?;
    if is_undone || !before.email_verified {
        announce_profile(context, &mut transaction, profile_id).await?;
    }
    let is_owner = before.email_verified || reader == Some(profile_id);
    let ended = if is_owner && !is_undone {
        mailed_links::revoke(&mut transaction, profile_id, None).await?;
        end_feed_and_authorizations(&mut transaction, profile_id).await?;
        sessions::end_all(&mut transaction, profile_id, None).await?
    } else {
        record(context, &mut transaction, profile_id, Act::AccessEnded).await?;
        end_access(context, &mut transaction, profile_id)
            .await?
            .sessions
    };
    let after = Profile {
        has_password: true,
        email: if is_undone { email } else { before.email },
        ..before
    };
    let access = access(&mut transaction, &after).await?;
    let notice = context
        .site
        .password_changed(&after.email, &access.listed());
    post(context, &mut transaction, notice).await?;
    context.jobs.commit(transaction).await?;
    context.outbox.wake();
    forget(context, &ended).await;
    Ok((after.email, access))
}

/// Finds a valid link that sets a new password.
async fn find(
    context: &Context,
    token: &LinkToken,
    now: DateTime<Utc>,
) -> Result<(Link, Purpose), Error> {
    for purpose in [Purpose::ResetPassword, Purpose::UndoEmail] {
        if let Some(link) = mailed_links::find(&context.pool, token, purpose, now).await? {
            return Ok((link, purpose));
        }
    }
    Err(Error::NoLink)
}

/// Restores a former address of a locked account.
async fn restore(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    email: &str,
) -> Result<(), Error> {
    let email = Email::parse(email).map_err(|_| Error::NoLink)?;
    claim(connection, profile_id, &email).await?;
    profiles::restore_email(connection, profile_id, &email).await?;
    record(context, connection, profile_id, Act::EmailRestored).await
}
