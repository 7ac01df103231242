//! The Facebook connection of a reader's account.

use chrono::{DateTime, Utc};

use super::facebook;
use crate::{
    context::Context,
    domain::{Act, DisconnectJob, FacebookId},
    error::Error,
    store::{facebook_links, profiles},
    usecases::{audit::record, require_way_in},
};

/// When the reader's account was connected, if it is connected.
pub(crate) async fn get(
    context: &Context,
    profile_id: i64,
) -> Result<Option<DateTime<Utc>>, Error> {
    facebook(context)?;
    let connected = facebook_links::of_profile(&context.pool, profile_id).await?;
    Ok(connected.map(|connected| connected.created_at))
}

/// Withdraws the permissions of a person whose connection has ended, unless the person is connected again.
pub(crate) async fn withdraw_permissions(
    context: &Context,
    job: &DisconnectJob,
) -> Result<(), Error> {
    let (Some(facebook), Some(person)) = (&context.facebook, FacebookId::parse(&job.facebook_id))
    else {
        return Ok(());
    };
    if facebook_links::owner(&context.pool, &person)
        .await?
        .is_some()
    {
        return Ok(());
    }
    Ok(facebook.disconnect(&person).await?)
}

/// Ends the Facebook connection of the reader's account, unless it is the only sign-in method. Sessions that began with
/// it continue.
pub(crate) async fn disconnect(context: &Context, profile_id: i64) -> Result<(), Error> {
    facebook(context)?;
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    let Some(facebook_id) = facebook_links::delete(&mut transaction, profile_id).await? else {
        return Ok(());
    };
    require_way_in(context, &mut transaction, &profile).await?;
    record(
        context,
        &mut transaction,
        profile_id,
        Act::FacebookDisconnected,
    )
    .await?;
    context
        .jobs
        .append(&mut transaction, &DisconnectJob { facebook_id })
        .await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}
