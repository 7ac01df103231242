//! Signs up with a password.

use super::{Started, audit::record, mail_link, start_session};
use crate::{
    context::Context,
    domain::{Account, Act, Purpose, Registration},
    error::Error,
    store::profiles::{self, NewProfile},
};

/// Creates an account and its first session, and mails the confirmation link for its address: all or nothing.
pub(crate) async fn register(
    context: &Context,
    registration: Registration,
    device: &str,
) -> Result<Started, Error> {
    let place = context.passwords.place()?;
    // Hashing is expensive, so a taken address is refused first. The insert detects a race.
    let Registration { newcomer, password } = &registration;
    let now = context.clock.now();
    if profiles::is_taken(&context.pool, &newcomer.email, None, now).await? {
        return Err(Error::EmailTaken);
    }
    let hash = context
        .passwords
        .hash(place, password, context.entropy.as_ref())
        .await?;
    let mut transaction = context.pool.begin().await?;
    let profile = NewProfile {
        newcomer,
        password_hash: &hash,
        has_password: true,
        user_handle: None,
    };
    let id = profiles::insert(&mut transaction, &profile, now).await?;
    let id = id.ok_or(Error::EmailTaken)?;
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
