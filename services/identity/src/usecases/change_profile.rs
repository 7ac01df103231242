//! Change one's name, email or calendar choice.

use chassis::email::Email;
use sqlx::PgConnection;

use super::{ask_to_confirm, audit::record, post};
use crate::{
    context::Context,
    domain::{Act, Change, Profile, Purpose},
    error::Error,
    store::{mailed_links, profiles},
};

/// Changes the reader's profile. A new address waits until its owner uses the link that is mailed to it.
pub(crate) async fn change_profile(
    context: &Context,
    profile_id: i64,
    change: Change,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let mut profile = profile.ok_or(Error::NoSession)?;
    if let Some(full_name) = change.full_name {
        profile.full_name = full_name;
    }
    if let Some(choice) = change.calendar_sync {
        profile.calendar_sync = Some(choice);
    }
    if let Some(email) = change.email {
        ask_for(context, &mut transaction, &mut profile, &email).await?;
    }
    profiles::change(&mut transaction, &profile).await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}

async fn ask_for(
    context: &Context,
    connection: &mut PgConnection,
    profile: &mut Profile,
    email: &Email,
) -> Result<(), Error> {
    let is_the_same = profile.email.to_lowercase() == email.key();
    if is_the_same {
        // Back to the address that the account has: a change that waits is given up.
        email.as_str().clone_into(&mut profile.email);
        if profile.pending_email.take().is_some() {
            let purpose = Some(Purpose::ConfirmEmail);
            mailed_links::revoke(connection, profile.id, purpose).await?;
        }
        return Ok(());
    }
    profile.pending_email = Some(email.as_str().to_owned());
    record(context, connection, profile.id, Act::EmailChangeRequested).await?;
    ask_to_confirm(context, connection, profile.id, email).await?;
    let told = context
        .site
        .email_will_change(&profile.email, email.as_str());
    post(context, connection, told).await
}
