//! Reads, sets and removes a reader's avatar.

use chassis::{entropy, error::Fault};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    announce_places_of, commit, delete_files,
    received::{self, Wait},
};
use crate::{
    context::Context,
    domain::{Act, Avatar, NextAvatar},
    error::Error,
    store::{avatars, decisions, uploaders},
    tasks::MakeAvatar,
};

pub(crate) async fn get_avatar(context: &Context, profile_id: i64) -> Result<Avatar, Error> {
    Ok(avatars::find(&context.pool, profile_id).await?)
}

/// Makes the reader's avatar from a received file, which is consumed in any case. The previous avatar remains until the
/// new one is made.
pub(crate) async fn set_avatar(
    context: &Context,
    profile_id: i64,
    incoming: Uuid,
    full_name: &str,
) -> Result<Avatar, Error> {
    let name = entropy::uuid(context.entropy.as_ref());
    let next = NextAvatar { name, incoming };
    if let Err(error) = begin(context, profile_id, next, full_name).await {
        context.discard(incoming).await;
        return Err(error);
    }
    let mut wait = Wait::begin(context);
    let avatar = loop {
        let avatar = avatars::find(&context.pool, profile_id).await?;
        if !avatar.is_next(name) || !wait.goes_on().await {
            break avatar;
        }
    };
    if avatar.name != Some(name) && avatar.next.is_none() && !avatar.refusal.is_empty() {
        return Err(Fault::invalid_field("image", avatar.refusal).into());
    }
    Ok(avatar)
}

/// Checks the file, and queues the job that makes the avatar.
async fn begin(
    context: &Context,
    profile_id: i64,
    next: NextAvatar,
    full_name: &str,
) -> Result<(), Error> {
    if uploaders::is_banned(&context.pool, profile_id).await? {
        return Err(Error::Banned);
    }
    let file = received::check(context, next.incoming).await?;
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    if !uploaders::enter(&mut transaction, profile_id, full_name, now).await? {
        return Err(Error::Banned);
    }
    let mut avatar = avatars::lock(&mut transaction, profile_id).await?;
    let former = avatar.next.replace(next);
    avatar.refusal.clear();
    avatars::store(&mut transaction, profile_id, &avatar).await?;
    if let Some(former) = former {
        delete_files(
            context,
            &mut transaction,
            former.name,
            Some(former.incoming),
        )
        .await?;
    }
    let job = MakeAvatar {
        profile_id,
        name: next.name,
        memory: file.memory,
    };
    context.jobs.append(&mut transaction, &job).await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}

/// Removes the reader's avatar, if there is one; a durable job deletes its files.
pub(crate) async fn remove_avatar(context: &Context, profile_id: i64) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    clear_avatar(context, &mut transaction, profile_id).await?;
    commit(context, transaction).await?;
    Ok(())
}

/// Removes a reader's avatar for a reason recorded in the audit trail.
pub(crate) async fn take_down_avatar(
    context: &Context,
    profile_id: i64,
    reason: &str,
) -> Result<(), Error> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    if !clear_avatar(context, &mut transaction, profile_id).await? {
        return Err(Error::NotFound);
    }
    let (about, act) = ((profile_id, None), Act::AvatarRemoved);
    decisions::record(&mut transaction, about, act, reason, now).await?;
    commit(context, transaction).await?;
    Ok(())
}

/// Removes a reader's avatar, finished or being made; returns whether there was one.
pub(super) async fn clear_avatar(
    context: &Context,
    transaction: &mut PgConnection,
    profile_id: i64,
) -> Result<bool, Fault> {
    let Avatar { name, next, .. } = avatars::lock(transaction, profile_id).await?;
    if name.is_none() && next.is_none() {
        return Ok(false);
    }
    avatars::store(transaction, profile_id, &Avatar::default()).await?;
    if let Some(next) = next {
        delete_files(context, transaction, next.name, Some(next.incoming)).await?;
    }
    if let Some(name) = name {
        delete_files(context, transaction, name, None).await?;
        announce_places_of(context, transaction, profile_id).await?;
    }
    Ok(true)
}
