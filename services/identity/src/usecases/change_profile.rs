//! Changes the reader's name, email or calendar choice.

use chassis::{email::Email, error::Fault, instant};
use chrono::{DateTime, Utc};
use cityguide_proto::{events::v1::ProfileChanged, exchange, key};
use sqlx::PgConnection;

use super::{ask_to_confirm, audit::record, post};
use crate::{
    context::Context,
    domain::{Act, Change, Profile, Purpose},
    error::Error,
    store::{
        mailed_links,
        profiles::{self, Named},
    },
};

/// Changes the reader's profile. A new address is pending until its owner uses the mailed link.
pub(crate) async fn change_profile(
    context: &Context,
    profile_id: i64,
    change: Change,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let mut profile = profile.ok_or(Error::NoSession)?;
    let new_name = change.full_name.filter(|name| *name != profile.full_name);
    let is_renamed = new_name.is_some();
    if let Some(full_name) = new_name {
        profile.full_name = full_name;
    }
    if let Some(choice) = change.calendar_sync {
        profile.calendar_sync = Some(choice);
    }
    if let Some(email) = change.email {
        ask_for(context, &mut transaction, &mut profile, &email).await?;
    }
    profiles::change(&mut transaction, &profile).await?;
    if is_renamed {
        announce_profile(context, &mut transaction, profile_id).await?;
    }
    context.jobs.commit(transaction).await?;
    context.outbox.wake();
    Ok(())
}

/// Publishes a change of an account's name or confirmed address to the other services.
pub(super) async fn announce_profile(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<(), Error> {
    let now = context.clock.now();
    let named = profiles::named(connection, profile_id, now).await?;
    announce(context, connection, &[named]).await?;
    Ok(())
}

/// The number of names per replay batch.
const BATCH: i64 = 500;

/// Publishes the names and addresses changed since an instant again, for a consumer whose queue was lost; returns how
/// many.
pub(crate) async fn replay_names(
    context: &Context,
    since: Option<DateTime<Utc>>,
) -> Result<u64, Fault> {
    let mut after = (since.unwrap_or_default(), 0);
    let mut all = 0;
    loop {
        let renamed = profiles::named_since(&context.pool, after, BATCH).await?;
        let Some(last) = renamed.last() else {
            return Ok(all);
        };
        all += renamed.len() as u64;
        after = (last.at, last.id);
        let mut transaction = context.pool.begin().await?;
        announce(context, &mut transaction, &renamed).await?;
        context.outbox.commit(transaction).await?;
    }
}

async fn announce(
    context: &Context,
    connection: &mut PgConnection,
    renamed: &[Named],
) -> Result<(), sqlx::Error> {
    let events: Vec<_> = renamed
        .iter()
        .map(|one| ProfileChanged {
            profile_id: one.id,
            full_name: one.full_name.clone(),
            verified_email: one.verified_email.clone(),
            at: Some(instant::to_proto(one.at)),
        })
        .collect();
    let (exchange, key) = (exchange::LIFECYCLE, key::PROFILE_CHANGED);
    context
        .outbox
        .append_all(connection, exchange, key, &events)
        .await
}

async fn ask_for(
    context: &Context,
    connection: &mut PgConnection,
    profile: &mut Profile,
    email: &Email,
) -> Result<(), Error> {
    let is_the_same = profile.email.to_lowercase() == email.key();
    if is_the_same {
        // The requested address is the current address, so a pending change is discarded.
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
    let notice = context
        .site
        .email_will_change(&profile.email, email.as_str());
    post(context, connection, notice).await
}
