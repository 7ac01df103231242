//! Requests a link to set a new password.

use chassis::{actor::Actor, email::Email, error::FieldError};

use super::{audit::record_of, mail_link};
use crate::{
    context::Context,
    domain::{Act, PasswordReset, Purpose, RESET_AGAIN_AFTER},
    error::Error,
    store::profiles,
};

/// Accepts a request for any address. A job looks for the account, so that neither the response nor its timing reveals
/// whether it exists.
pub(crate) async fn request_password_reset(context: &Context, email: &str) -> Result<(), Error> {
    let email = Email::parse(email)
        .map_err(|message| Error::Invalid(vec![FieldError::new("email", message)]))?;
    let job = PasswordReset {
        email: email.as_str().to_owned(),
        network: Actor::current().network.as_deref().map(str::to_owned),
    };
    let mut transaction = context.pool.begin().await?;
    context.jobs.append(&mut transaction, &job).await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}

/// Mails the link, if the address belongs to an enabled account that has not just been mailed a link.
pub(crate) async fn mail_reset_link(
    context: &Context,
    email: &Email,
    actor: &Actor,
) -> Result<(), Error> {
    let Some(account) = profiles::credentials(&context.pool, email).await? else {
        return Ok(());
    };
    if account.disabled_at.is_some() {
        return Ok(());
    }
    let since = context.clock.now() - RESET_AGAIN_AFTER;
    let mut transaction = context.pool.begin().await?;
    // Of concurrent requests, only one mails a link.
    if profiles::lock(&mut transaction, account.id)
        .await?
        .is_none()
    {
        return Ok(());
    }
    // Uses the account's stored spelling of the address: a stranger may have entered a spelling that reaches another
    // mailbox.
    let whom = (account.id, account.email.as_str());
    let purpose = Purpose::ResetPassword;
    if mail_link(context, &mut transaction, whom, purpose, Some(since)).await? {
        let act = Act::PasswordResetRequested;
        record_of(context, &mut transaction, account.id, act, actor).await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}
