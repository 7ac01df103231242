//! Makes the files of an avatar. If a worker is killed at any point, another worker makes them again.

use chassis::error::Fault;
use uuid::Uuid;

use super::{
    announce_places_of, commit, delete_files, folder,
    received::{UNREADABLE, read_and_make, store},
};
use crate::{
    context::Context,
    domain::{AVATAR_SIZES, Avatar},
    store::avatars,
    tasks::MakeAvatar,
};

/// Makes the sizes of an uploaded avatar and replaces the previous avatar, unless the upload was replaced or removed in
/// the meantime.
pub(crate) async fn make_avatar(context: &Context, job: &MakeAvatar) -> Result<(), Fault> {
    let MakeAvatar {
        profile_id,
        name,
        memory,
    } = *job;
    let found = avatars::find(&context.pool, profile_id).await?;
    if let Some(next) = found.next.filter(|next| next.name == name) {
        match read_and_make(context, next.incoming, memory, &AVATAR_SIZES).await? {
            Ok(made) => {
                store(context, name, made.files).await?;
                settle(context, profile_id, name).await?;
            }
            Err(reason) => refuse(context, profile_id, name, &reason).await?,
        }
        context.discard(next.incoming).await;
        context.made.send_replace(());
    }
    clean_up(context, profile_id, name).await
}

/// Refuses an avatar that could not be made in any attempt.
pub(crate) async fn give_up(context: &Context, job: &MakeAvatar) -> Result<(), Fault> {
    let MakeAvatar {
        profile_id, name, ..
    } = *job;
    tracing::error!(profile = profile_id, "an avatar could not be made");
    let found = avatars::find(&context.pool, profile_id).await?;
    refuse(context, profile_id, name, UNREADABLE).await?;
    if let Some(next) = found.next.filter(|next| next.name == name) {
        context.discard(next.incoming).await;
    }
    clean_up(context, profile_id, name).await
}

/// Replaces the previous avatar after the new files were stored.
async fn settle(context: &Context, profile_id: i64, name: Uuid) -> Result<(), Fault> {
    let mut transaction = context.pool.begin().await?;
    let found = avatars::lock(&mut transaction, profile_id).await?;
    if found.is_next(name) {
        let avatar = Avatar {
            name: Some(name),
            ..Avatar::default()
        };
        avatars::store(&mut transaction, profile_id, &avatar).await?;
        if let Some(former) = found.name {
            delete_files(context, &mut transaction, former, None).await?;
        }
        announce_places_of(context, &mut transaction, profile_id).await?;
    }
    commit(context, transaction).await
}

/// Refuses the new avatar with a reason for the waiting reader; the previous avatar remains.
async fn refuse(context: &Context, profile_id: i64, name: Uuid, reason: &str) -> Result<(), Fault> {
    let mut transaction = context.pool.begin().await?;
    let mut avatar = avatars::lock(&mut transaction, profile_id).await?;
    if avatar.is_next(name) {
        avatar.next = None;
        reason.clone_into(&mut avatar.refusal);
        avatars::store(&mut transaction, profile_id, &avatar).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Deletes the files if the avatar is no longer wanted.
async fn clean_up(context: &Context, profile_id: i64, name: Uuid) -> Result<(), Fault> {
    let avatar = avatars::find(&context.pool, profile_id).await?;
    if avatar.name != Some(name) && !avatar.is_next(name) {
        context.blobs.delete_folder(&folder(name)).await?;
    }
    Ok(())
}
