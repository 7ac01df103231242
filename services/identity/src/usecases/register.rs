//! Sign up.

use super::{Started, start_session};
use crate::{context::Context, domain::Registration, error::Error, store::profiles};

/// Creates an account and its first session, both or neither.
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
    let started = start_session(context, &mut transaction, id, device).await?;
    transaction.commit().await?;
    Ok(started)
}
