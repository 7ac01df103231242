//! Confirms an address with a mailed link.

use chassis::email::Email;
use sqlx::PgConnection;

use super::{
    access::{access, end_access},
    audit::record,
    change_profile::announce_profile,
    claim, forget, mail_link, make_link,
};
use crate::{
    context::Context,
    domain::{Access, AccessChoice, Act, LinkToken, Profile, Purpose, SessionToken},
    error::Error,
    store::{
        mailed_links::{self, Link},
        profiles,
    },
};

/// The outcome of opening a link.
pub(crate) struct Confirmation {
    pub(crate) email: String,
    /// False if a choice is missing: nothing has changed, and the link still works.
    pub(crate) is_confirmed: bool,
    pub(crate) access: Access,
    /// The secret of a link that sets a new password, if all sign-in methods have ended.
    pub(crate) password_secret: Option<String>,
}

/// Uses a link and deletes it. Somebody else may have created the account with this address, so unless the caller
/// (`reader`) is signed in to the account, the owner of the address must choose what happens to its sign-in methods.
pub(crate) async fn confirm_email(
    context: &Context,
    secret: &str,
    reader: Option<i64>,
    choice: Option<AccessChoice>,
) -> Result<Confirmation, Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let purpose = Purpose::ConfirmEmail;
    let link = mailed_links::find(&context.pool, &token, purpose, now).await?;
    let Link { profile_id, .. } = link.ok_or(Error::NoLink)?;
    let is_signed_in = reader == Some(profile_id);
    let choice = choice.or(is_signed_in.then_some(AccessChoice::Keep));
    let mut transaction = context.pool.begin().await?;
    // Locks the account before its link, in the same order as an erasure.
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let mut profile = profile.ok_or(Error::NoLink)?;
    let link = mailed_links::take(&mut transaction, &token, purpose, now).await?;
    let email = link.ok_or(Error::NoLink)?.email;
    let Some(choice) = choice else {
        // Dropping the transaction rolls it back.
        return Ok(Confirmation {
            email,
            is_confirmed: false,
            access: access(&mut transaction, &profile).await?,
            password_secret: None,
        });
    };
    let email = Email::parse(&email).map_err(|_| Error::NoLink)?;
    confirm(context, &mut transaction, &profile, &email).await?;
    let (ended, password_secret) = match choice {
        AccessChoice::Keep => (Vec::new(), None),
        AccessChoice::End => {
            let (ended, secret) = end(context, &mut transaction, profile_id, &email).await?;
            profile.has_password = false;
            (ended, secret)
        }
    };
    let access = access(&mut transaction, &profile).await?;
    context.jobs.commit(transaction).await?;
    context.outbox.wake();
    forget(context, &ended).await;
    Ok(Confirmation {
        email: email.as_str().to_owned(),
        is_confirmed: true,
        access,
        password_secret,
    })
}

async fn confirm(
    context: &Context,
    connection: &mut PgConnection,
    profile: &Profile,
    email: &Email,
) -> Result<(), Error> {
    claim(connection, profile.id, email).await?;
    if !profiles::confirm(connection, profile.id, email).await? {
        return Err(Error::NoLink);
    }
    record(context, connection, profile.id, Act::EmailConfirmed).await?;
    let is_replaced = profile.email.to_lowercase() != email.key();
    if is_replaced && profile.email_verified {
        let whom = (profile.id, profile.email.as_str());
        mail_link(context, connection, whom, Purpose::UndoEmail, None).await?;
    }
    announce_profile(context, connection, profile.id).await
}

/// Ends everything that gives access to the account; returns the ended sessions, and the secret of a link with which the
/// owner of the address sets a password.
async fn end(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    email: &Email,
) -> Result<(Vec<SessionToken>, Option<String>), Error> {
    record(context, connection, profile_id, Act::AccessEnded).await?;
    let ended = end_access(context, connection, profile_id).await?;
    profiles::end_password(connection, profile_id, context.passwords.nobody()).await?;
    let (whom, purpose) = ((profile_id, email.as_str()), Purpose::ResetPassword);
    let secret = make_link(context, connection, whom, purpose, None).await?;
    Ok((ended.sessions, secret))
}
