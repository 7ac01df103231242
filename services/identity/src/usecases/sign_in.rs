//! Sign in.

use chassis::email::Email;

use super::{Started, start_session};
use crate::{
    context::Context,
    domain::{PasswordHasher, check_sign_in},
    error::Error,
    store::profiles::{self, Credentials},
};

/// Starts a session for the right pair. An unknown or malformed address takes the same time and gets the same
/// message as a wrong password.
pub(crate) async fn sign_in(
    context: &Context,
    email: &str,
    password: &str,
    device: &str,
) -> Result<Started, Error> {
    check_sign_in(email, password).map_err(Error::Invalid)?;
    // Before the database is asked: a flood must not take the capacity and connections of other calls.
    let place = context.passwords.place()?;
    let account = match Email::parse(email) {
        Ok(email) => profiles::credentials(&context.pool, &email).await?,
        Err(_) => None,
    };
    let stored = account
        .as_ref()
        .map(|account| account.password_hash.as_str());
    let fits = context.passwords.fits(place, password, stored).await?;
    let account = account.filter(|_| fits).ok_or(Error::WrongPair)?;
    renew(context, &account, password).await;
    let mut connection = context.pool.acquire().await?;
    start_session(context, &mut connection, account.id, device).await
}

/// Hashes a password anew if its hash was made with other parameters than new ones are. A failure is only logged: the
/// old hash is still good, and the next sign-in tries again.
async fn renew(context: &Context, account: &Credentials, password: &str) {
    if !PasswordHasher::is_outdated(&account.password_hash) {
        return;
    }
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
        tracing::warn!(%error, "a password keeps its old hash");
    }
}
