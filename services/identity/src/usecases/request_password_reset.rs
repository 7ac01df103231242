//! Ask for a link that sets a new password.

use chassis::{actor::Actor, email::Email, error::FieldError};

use super::{audit::record_of, mail_link};
use crate::{
    context::Context,
    domain::{Act, PasswordReset, Purpose, RESET_AGAIN_AFTER},
    error::Error,
    store::profiles,
};

/// Takes a request for any address. A job looks whether there is an account, so that neither the answer nor its time
/// tells.
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

/// Mails the link, if an account that is not disabled has the address and was not mailed one just before.
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
    // To the address as the account has it: what a stranger has typed may be spelled to reach somebody else.
    let whom = (account.id, account.email.as_str());
    let purpose = Purpose::ResetPassword;
    if mail_link(context, &mut transaction, whom, purpose, Some(since)).await? {
        let act = Act::PasswordResetRequested;
        record_of(context, &mut transaction, account.id, act, actor).await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}
