//! Sign up.

use super::{Started, audit::record, mail_link, start_session};
use crate::{
    context::Context,
    domain::{Account, Act, Purpose, Registration},
    error::Error,
    store::profiles,
};

/// Creates an account and its first session, and mails the link that confirms its address: all or nothing.
pub(crate) async fn register(
    context: &Context,
    registration: Registration,
    device: &str,
) -> Result<Started, Error> {
    let place = context.passwords.place()?;
    // Hashing is expensive, so a taken address is refused before it. The insert settles a race.
    if profiles::is_taken(&context.pool, &registration.email).await? {
        return Err(Error::EmailTaken);
    }
    let hash = context
        .passwords
        .hash(place, &registration.password, context.entropy.as_ref())
        .await?;
    let mut transaction = context.pool.begin().await?;
    let Registration {
        full_name, email, ..
    } = &registration;
    let now = context.clock.now();
    let id = profiles::insert(&mut transaction, full_name, email, &hash, now)
        .await?
        .ok_or(Error::EmailTaken)?;
    let account = Account {
        profile_id: id,
        created_at: now,
    };
    let started = start_session(context, &mut transaction, account, device).await?;
    record(context, &mut transaction, id, Act::Registered).await?;
    let whom = (id, email.as_str());
    mail_link(context, &mut transaction, whom, Purpose::ConfirmEmail, None).await?;
    context.jobs.commit(transaction).await?;
    Ok(started)
}
