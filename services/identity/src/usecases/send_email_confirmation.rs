//! Mails a new link that confirms an address.

use chassis::email::Email;

use super::{ask_to_confirm, mail_link};
use crate::{context::Context, domain::Purpose, error::Error, store::profiles};

/// Mails the link again: to the pending address, or to the account's own address if it is not confirmed. Otherwise does
/// nothing.
pub(crate) async fn send_email_confirmation(
    context: &Context,
    profile_id: i64,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    let waiting = profile.pending_email.as_deref().map(Email::parse);
    if let Some(Ok(waiting)) = waiting {
        ask_to_confirm(context, &mut transaction, profile_id, &waiting).await?;
    } else if !profile.email_verified {
        let whom = (profile_id, profile.email.as_str());
        mail_link(context, &mut transaction, whom, Purpose::ConfirmEmail, None).await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}
