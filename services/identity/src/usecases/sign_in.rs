//! Signs in with an address and a password.

use chassis::email::Email;

use super::{
    Started,
    audit::{record, record_failure},
    start_session,
};
use crate::{
    context::Context,
    domain::{Account, Act, Fit, PasswordHasher, check_sign_in},
    error::Error,
    store::profiles::{self, Credentials},
};

/// The maximum number of checks per sign-in: if the stored hash is replaced during the check, the password is checked
/// again.
const CHECKS: usize = 2;

/// Starts a session for a correct address and password. An unknown or malformed address takes the same time and gets
/// the same message as a wrong password.
pub(crate) async fn sign_in(
    context: &Context,
    email: &str,
    password: &str,
    device: &str,
) -> Result<Started, Error> {
    check_sign_in(email, password).map_err(Error::Invalid)?;
    for _ in 0..CHECKS {
        let (account, fit) = check(context, email, password).await?;
        if account.disabled_at.is_some() {
            record_failure(context, Some(account.id), Act::SignInFailed).await?;
            return Err(Error::Disabled);
        }
        if let Some(started) = start(context, &account, device).await? {
            if fit == Fit::AsWritten || PasswordHasher::is_outdated(&account.password_hash) {
                renew(context, &account, password).await;
            }
            return Ok(started);
        }
    }
    Err(Error::WrongPair)
}

/// The account with this address and password.
async fn check(
    context: &Context,
    email: &str,
    password: &str,
) -> Result<(Credentials, Fit), Error> {
    // The place is reserved before the database query: a flood must not take the capacity and connections of other
    // calls.
    let place = context.passwords.place()?;
    let account = match Email::parse(email) {
        Ok(email) => profiles::credentials(&context.pool, &email).await?,
        Err(_) => None,
    };
    let stored = account
        .as_ref()
        .map(|account| account.password_hash.as_str());
    let fit = context.passwords.fits(place, password, stored).await?;
    match account {
        Some(account) if fit != Fit::No => Ok((account, fit)),
        refused => {
            // The failure is also recorded for an unknown address, so that both cases take the same time.
            let account = refused.map(|account| account.id);
            record_failure(context, account, Act::SignInFailed).await?;
            Err(Error::WrongPair)
        }
    }
}

/// Starts a session of a verified account; `None` if its password has changed since. A password change ends the
/// account's sessions: a session that begins at the same time is either ended too or not started.
async fn start(
    context: &Context,
    account: &Credentials,
    device: &str,
) -> Result<Option<Started>, Error> {
    let mut transaction = context.pool.begin().await?;
    let checked = account.password_hash.as_str();
    if !profiles::hold_password(&mut transaction, account.id, checked).await? {
        return Ok(None);
    }
    let begun = Account {
        profile_id: account.id,
        created_at: account.created_at,
    };
    let started = start_session(context, &mut transaction, begun, device).await?;
    record(context, &mut transaction, account.id, Act::SignedIn).await?;
    started.commit(context, transaction).await.map(Some)
}

/// Replaces the hash of a password, which was made in an outdated way. A failure is only logged: the old hash remains
/// valid, and the next sign-in tries again.
async fn renew(context: &Context, account: &Credentials, password: &str) {
    let renewed = async {
        let place = context.passwords.place()?;
        let hash = context
            .passwords
            .hash(place, password, context.entropy.as_ref())
            .await?;
        let mut connection = context.pool.acquire().await?;
        let (id, old) = (account.id, account.password_hash.as_str());
        profiles::replace_password(&mut connection, id, old, &hash).await?;
        Ok::<_, Error>(())
    };
    if let Err(error) = renewed.await {
        tracing::warn!(%error, "replacing the outdated hash of a password failed");
    }
}
