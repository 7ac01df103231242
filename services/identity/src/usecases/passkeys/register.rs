//! Signs up with a passkey.

use super::keep;
use crate::{
    context::Context,
    domain::{Account, Act, Answer, Newcomer, Purpose},
    error::Error,
    store::profiles::{self, NewProfile},
    usecases::{Started, audit::record, device_text, mail_link, start_session},
};

/// Creates an account without a password, with its first passkey and session, and mails the confirmation link for its
/// address: all or nothing.
pub(crate) async fn register(
    context: &Context,
    answer: &Answer,
    newcomer: &Newcomer,
    device: &str,
) -> Result<Started, Error> {
    let now = context.clock.now();
    let party = context.relying_party()?;
    let made = party.finish_registration(answer, None, now)?;
    let mut transaction = context.pool.begin().await?;
    let profile = NewProfile {
        newcomer,
        password_hash: context.passwords.nobody(),
        has_password: false,
        user_handle: Some(made.user_handle),
    };
    let id = profiles::insert(&mut transaction, &profile, now).await?;
    let id = id.ok_or(Error::EmailTaken)?;
    keep(&mut transaction, id, &made, &device_text(device), now).await?;
    let account = Account {
        profile_id: id,
        created_at: now,
    };
    let started = start_session(context, &mut transaction, account, device).await?;
    record(context, &mut transaction, id, Act::Registered).await?;
    let whom = (id, newcomer.email.as_str());
    mail_link(context, &mut transaction, whom, Purpose::ConfirmEmail, None).await?;
    context.jobs.commit(transaction).await?;
    Ok(started)
}
