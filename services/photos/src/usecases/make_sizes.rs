//! Makes the sizes of a photo. If a worker is killed at any point, another worker makes them again.

use chassis::error::Fault;
use uuid::Uuid;

use super::{
    commit, count_published, folder,
    received::{UNREADABLE, read_and_make, store},
};
use crate::{
    context::Context,
    domain::{Act, Picture, SIZES, Status, is_on_instagram},
    store::{decisions, photos, uploaders},
    tasks::MakeSizes,
};

/// Makes and stores the sizes of a photo, and publishes it if its uploader is trusted. If the photo has been deleted in
/// the meantime, its files are deleted too.
pub(crate) async fn make_sizes(context: &Context, job: &MakeSizes) -> Result<(), Fault> {
    let MakeSizes {
        photo_id: id,
        name,
        memory,
    } = *job;
    let found = photos::find(&context.pool, id).await?;
    let waiting = found.filter(|photo| photo.status == Status::Processing);
    let Some(incoming) = waiting.and_then(|photo| photo.incoming) else {
        return clean_up(context, id, name).await;
    };
    match read_and_make(context, incoming, memory, &SIZES).await? {
        Ok(made) => {
            store(context, name, made.files).await?;
            let picture = Picture {
                width: made.width.cast_signed(),
                height: made.height.cast_signed(),
                thumbhash: made.thumbhash,
            };
            settle(context, id, &picture).await?;
        }
        Err(reason) => refuse(context, id, &reason).await?,
    }
    context.discard(incoming).await;
    context.made.send_replace(());
    clean_up(context, id, name).await
}

/// Refuses a photo whose sizes could not be made in any attempt.
pub(crate) async fn give_up(context: &Context, job: &MakeSizes) -> Result<(), Fault> {
    tracing::error!(
        photo = job.photo_id,
        "the sizes of a photo could not be made"
    );
    let found = photos::find(&context.pool, job.photo_id).await?;
    // The last attempt may have made the sizes, but died before it could report success.
    if found.as_ref().is_some_and(|photo| photo.picture.is_some()) {
        return Ok(());
    }
    refuse(context, job.photo_id, UNREADABLE).await?;
    if let Some(incoming) = found.and_then(|photo| photo.incoming) {
        context.discard(incoming).await;
    }
    context.blobs.delete_folder(&folder(job.name)).await
}

/// Publishes the photo after its sizes were stored, or sets it to await review. Imported photos need no review.
async fn settle(context: &Context, id: i64, picture: &Picture) -> Result<(), Fault> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let locked = photos::lock(&mut transaction, id).await?;
    let Some(photo) = locked.filter(|photo| photo.status == Status::Processing) else {
        return Ok(());
    };
    photos::made(&mut transaction, id, picture).await?;
    let uploader = uploaders::lock(&mut transaction, photo.profile_id, now).await?;
    let texts = [photo.texts[0].as_str(), photo.texts[1].as_str()];
    if uploader.is_banned {
        let reason = "Your photos are not published any more.";
        photos::refuse(&mut transaction, id, reason, now).await?;
        let about = (photo.profile_id, Some(id));
        decisions::record(&mut transaction, about, Act::Refused, reason, now).await?;
    } else if let Some(suspicion) = (!is_on_instagram(photo.profile_id))
        .then(|| context.trust.suspicion(uploader, texts))
        .flatten()
    {
        photos::hold(&mut transaction, id, suspicion).await?;
    } else {
        photos::publish(&mut transaction, id, now).await?;
        count_published(context, &mut transaction, photo.listing_id, 1).await?;
    }
    commit(context, transaction).await
}

/// Refuses a photo with a reason for its uploader.
async fn refuse(context: &Context, id: i64, reason: &str) -> Result<(), Fault> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let locked = photos::lock(&mut transaction, id).await?;
    if locked.is_some_and(|photo| photo.status == Status::Processing) {
        photos::refuse(&mut transaction, id, reason, now).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Deletes the files if the photo was deleted while they were written.
async fn clean_up(context: &Context, id: i64, name: Uuid) -> Result<(), Fault> {
    if photos::find(&context.pool, id).await?.is_none() {
        context.blobs.delete_folder(&folder(name)).await?;
    }
    Ok(())
}
