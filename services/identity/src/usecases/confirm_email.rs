//! Confirms an address with a mailed link.

use chassis::email::Email;
use sqlx::error::DatabaseError;

use super::{audit::record, change_profile::announce_profile};
use crate::{
    context::Context,
    domain::{Act, LinkToken, Purpose},
    error::Error,
    store::{
        mailed_links::{self, Link},
        profiles,
    },
};

/// Uses a link and deletes it; returns the confirmed address.
pub(crate) async fn confirm_email(context: &Context, secret: &str) -> Result<String, Error> {
    let (token, now) = (LinkToken::new(secret), context.clock.now());
    let mut transaction = context.pool.begin().await?;
    let purpose = Purpose::ConfirmEmail;
    let link = mailed_links::take(&mut transaction, &token, purpose, now).await?;
    let Link { profile_id, email } = link.ok_or(Error::NoLink)?;
    let email = Email::parse(&email).map_err(|_| Error::NoLink)?;
    let confirmed = profiles::confirm(&mut transaction, profile_id, &email).await;
    let is_taken = |error: &sqlx::Error| {
        let error = error.as_database_error();
        error.is_some_and(DatabaseError::is_unique_violation)
    };
    match confirmed {
        Ok(true) => {}
        Ok(false) => return Err(Error::NoLink),
        Err(error) if is_taken(&error) => return Err(Error::EmailTaken),
        Err(error) => return Err(error.into()),
    }
    record(context, &mut transaction, profile_id, Act::EmailConfirmed).await?;
    announce_profile(context, &mut transaction, profile_id).await?;
    context.outbox.commit(transaction).await?;
    Ok(email.as_str().to_owned())
}
