//! Use cases, one per file; each owns its transaction.

mod access;
pub(crate) mod audit;
pub(crate) mod authenticate;
pub(crate) mod calendar_authorization;
pub(crate) mod calendar_entry;
pub(crate) mod calendar_feed;
pub(crate) mod calendar_grant;
pub(crate) mod change_password;
pub(crate) mod change_profile;
pub(crate) mod confirm_email;
pub(crate) mod end_session;
pub(crate) mod erase_account;
pub(crate) mod export;
pub(crate) mod facebook;
pub(crate) mod list_sessions;
pub(crate) mod mail_refusal;
pub(crate) mod passkeys;
pub(crate) mod proof;
pub(crate) mod read_profile;
pub(crate) mod receipts;
pub(crate) mod register;
pub(crate) mod request_password_reset;
pub(crate) mod reset_password;
pub(crate) mod send_email_confirmation;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
pub(crate) mod support;

use bytes::Bytes;
use chassis::{email::Email, entropy::secret_token, error::Fault, mail::Mail};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Postgres, Transaction};

use self::authenticate::{CACHED, ENDED};
use crate::{
    context::Context,
    domain::{Account, LinkToken, Profile, Purpose, SessionToken},
    error::Error,
    store::{
        facebook_links,
        mailed_links::{self, NewLink},
        passkeys as stored_passkeys, profiles, sessions,
    },
};

/// The maximum length of a stored `User-Agent`, in characters.
const MAX_DEVICE: usize = 200;

/// A new session.
pub(crate) struct Started {
    pub(crate) account: Account,
    /// The value of the session cookie.
    pub(crate) secret: String,
    /// Sessions that end because the account has too many.
    evicted: Vec<SessionToken>,
}

impl Started {
    /// Commits a sign-in, and ends the evicted sessions immediately on every replica.
    async fn commit(
        self,
        context: &Context,
        transaction: Transaction<'_, Postgres>,
    ) -> Result<Self, Error> {
        transaction.commit().await?;
        forget(context, &self.evicted).await;
        Ok(self)
    }
}

/// Starts a session with a new secret: signing in always rotates the secret.
async fn start_session(
    context: &Context,
    connection: &mut PgConnection,
    account: Account,
    device: &str,
) -> Result<Started, Error> {
    let secret = secret_token(context.entropy.as_ref());
    let device = device_text(device);
    let (token, now) = (SessionToken::new(&secret), context.clock.now());
    let evicted = sessions::insert(connection, &token, account.profile_id, &device, now).await?;
    Ok(Started {
        account,
        secret,
        evicted,
    })
}

/// Whether a locked account has its own sign-in method: a password or a passkey.
async fn has_own_way_in(
    connection: &mut PgConnection,
    profile: &Profile,
) -> Result<bool, sqlx::Error> {
    let passkeys = stored_passkeys::of_profile(connection, profile.id).await?;
    Ok(profile.has_password || !passkeys.is_empty())
}

/// Fails if the transaction's changes leave the account without a sign-in method.
async fn require_way_in(
    context: &Context,
    connection: &mut PgConnection,
    profile: &Profile,
) -> Result<(), Error> {
    if has_own_way_in(connection, profile).await? {
        return Ok(());
    }
    let connected = facebook_links::of_profile(connection, profile.id).await?;
    if context.facebook.is_none() || connected.is_none() {
        return Err(Error::LastWayIn);
    }
    Ok(())
}

/// A `User-Agent` in the form in which it is stored.
fn device_text(user_agent: &str) -> String {
    let printable = user_agent.chars().filter(|c| !c.is_control());
    printable.take(MAX_DEVICE).collect()
}

/// Invalidates the cache entries of sessions that were deleted from the database, including entries from concurrent
/// reads of the database, so that a deleted session cannot reappear.
async fn forget(context: &Context, ended: &[SessionToken]) {
    if let Err(error) = forget_all(context, ended).await {
        tracing::warn!(%error, "ending a session in the cache failed; its entry expires by itself");
    }
}

/// Invalidates the cache entries of ended sessions; fails if the cache could not store all of them.
async fn forget_all(context: &Context, ended: &[SessionToken]) -> Result<(), Fault> {
    let mut outcome = Ok(());
    for token in ended {
        let entry = Bytes::from_static(ENDED);
        let stored = context.cache.set(&token.key(), entry, CACHED * 2).await;
        outcome = outcome.and(stored);
    }
    outcome
}

/// Creates a link for a locked or new account, unless a link with the same purpose was created after `unless_since`.
/// Returns its secret.
async fn make_link(
    context: &Context,
    connection: &mut PgConnection,
    (profile_id, email): (i64, &str),
    purpose: Purpose,
    unless_since: Option<DateTime<Utc>>,
) -> Result<Option<String>, Error> {
    let secret = secret_token(context.entropy.as_ref());
    let former = match purpose {
        Purpose::UndoEmail => Email::parse(email).ok(),
        Purpose::ConfirmEmail | Purpose::ResetPassword => None,
    };
    let link = NewLink {
        profile_id,
        purpose,
        token: &LinkToken::new(&secret),
        email,
        restores: former.as_ref().map(Email::key),
    };
    let now = context.clock.now();
    let is_new = mailed_links::put(connection, &link, now, unless_since).await?;
    Ok(is_new.then_some(secret))
}

/// Mails a link to the address of a locked or new account, unless a link with the same purpose was created after
/// `unless_since`. Returns whether a link was mailed.
async fn mail_link(
    context: &Context,
    connection: &mut PgConnection,
    (profile_id, email): (i64, &str),
    purpose: Purpose,
    unless_since: Option<DateTime<Utc>>,
) -> Result<bool, Error> {
    let whom = (profile_id, email);
    let Some(secret) = make_link(context, connection, whom, purpose, unless_since).await? else {
        return Ok(false);
    };
    let mail = match purpose {
        Purpose::ConfirmEmail => context.site.confirm_email(email, &secret),
        Purpose::ResetPassword => context.site.reset_password(email, &secret),
        Purpose::UndoEmail => context.site.email_changed(email, &secret),
    };
    post(context, connection, mail).await?;
    Ok(true)
}

/// Mails the link that confirms an account's address. If the address belongs to another account, its owner is notified
/// instead; the caller is not informed.
async fn ask_to_confirm(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    email: &Email,
) -> Result<(), Error> {
    let purpose = Purpose::ConfirmEmail;
    if profiles::is_taken(
        &mut *connection,
        email,
        Some(profile_id),
        context.clock.now(),
    )
    .await?
    {
        mailed_links::revoke(connection, profile_id, Some(purpose)).await?;
        return post(
            context,
            connection,
            context.site.has_account(email.as_str()),
        )
        .await;
    }
    mail_link(
        context,
        connection,
        (profile_id, email.as_str()),
        purpose,
        None,
    )
    .await?;
    Ok(())
}

/// Claims an address for an account; fails if another account has it.
async fn claim(connection: &mut PgConnection, profile_id: i64, email: &Email) -> Result<(), Error> {
    if profiles::claim_address(connection, profile_id, email).await? {
        Ok(())
    } else {
        Err(Error::EmailTaken)
    }
}

/// Queues a mail, if there is one.
async fn post(
    context: &Context,
    connection: &mut PgConnection,
    mail: Option<Mail>,
) -> Result<(), Error> {
    if let Some(mail) = mail {
        context.jobs.append(connection, &mail).await?;
    } else {
        tracing::warn!("an account has an address that no mail server accepts");
    }
    Ok(())
}
