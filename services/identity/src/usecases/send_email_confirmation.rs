//! Ask for the link that confirms an address once more.

use super::{mail_link, post};
use crate::{context::Context, domain::Purpose, error::Error, store::profiles};
use chassis::email::Email;

/// Mails the link again: to the address that waits, or to the account's own until it is confirmed. Otherwise there is
/// nothing to do.
pub(crate) async fn send_email_confirmation(
    context: &Context,
    profile_id: i64,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    let waiting = match &profile.pending_email {
        Some(pending) => Some(pending),
        None if profile.email_verified => None,
        None => Some(&profile.email),
    };
    let Some(waiting) = waiting else {
        return Ok(());
    };
    let is_others = profile.pending_email.is_some()
        && match Email::parse(waiting) {
            Ok(email) => profiles::is_taken(&mut *transaction, &email).await?,
            Err(_) => false,
        };
    if is_others {
        let mail = context.site.has_account(waiting);
        post(context, &mut transaction, mail).await?;
    } else {
        let whom = (profile_id, waiting.as_str());
        mail_link(context, &mut transaction, whom, Purpose::ConfirmEmail, None).await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}
