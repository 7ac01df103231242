//! Make the sizes of a photo. A worker that is killed at any point leaves a photo that another one makes again.

use chassis::error::{Code, Fault};
use futures::{StreamExt, TryStreamExt, stream};
use pictures::{File, Made, Refusal, make};
use uuid::Uuid;

use super::{commit, count_published, create_photo, folder};
use crate::{
    context::Context,
    domain::{Act, Picture, SIZES, Status},
    store::{decisions, photos, uploaders},
    tasks::MakeSizes,
};

/// Files that are written to the blobs at a time.
const WRITES: usize = 4;
/// The reason of a photo at which each attempt has failed.
const UNREADABLE: &str = "The picture could not be read: save it again and upload it once more.";
/// The reason of a photo whose received file is gone.
const LOST: &str = "The picture was lost before it could be stored: upload it again.";

/// Makes and stores the sizes of a photo, and publishes it if its uploader is trusted. Files of a photo that has been deleted
/// meanwhile are deleted too.
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
    match read_and_make(context, incoming, memory).await? {
        Some(Ok(made)) => {
            // An attempt that was killed may have left half a file.
            context.blobs.delete_folder(&folder(name)).await?;
            store(context, name, made.files).await?;
            let picture = Picture {
                width: made.width.cast_signed(),
                height: made.height.cast_signed(),
                thumbhash: made.thumbhash,
            };
            settle(context, id, &picture).await?;
        }
        Some(Err(refusal)) => {
            create_photo::count_refusal(refusal);
            refuse(context, id, &refusal.to_string()).await?;
        }
        None => refuse(context, id, LOST).await?,
    }
    context.discard(incoming).await;
    context.made.send_replace(());
    clean_up(context, id, name).await
}

/// Refuses a photo whose sizes could not be made, however often they were tried.
pub(crate) async fn give_up(context: &Context, job: &MakeSizes) -> Result<(), Fault> {
    tracing::error!(
        photo = job.photo_id,
        "the sizes of a photo could not be made"
    );
    let found = photos::find(&context.pool, job.photo_id).await?;
    // The last attempt may have made them, and died before it could say so.
    if found.as_ref().is_some_and(|photo| photo.picture.is_some()) {
        return Ok(());
    }
    refuse(context, job.photo_id, UNREADABLE).await?;
    if let Some(incoming) = found.and_then(|photo| photo.incoming) {
        context.discard(incoming).await;
    }
    context.blobs.delete_folder(&folder(job.name)).await
}

/// The sizes of a received file, or why it has none; `None` if the file is gone. `memory` bytes are needed for it all.
async fn read_and_make(
    context: &Context,
    incoming: Uuid,
    memory: u64,
) -> Result<Option<Result<Made, Refusal>>, Fault> {
    let room = context.memory.reserve(memory).await?;
    let Some(file) = context.blobs.read_incoming(incoming).await? else {
        return Ok(None);
    };
    let file = file.collect().await?;
    // The memory is given back when the work ends, even if nobody waits for it any more.
    let work = tokio::task::spawn_blocking(move || {
        let made = make(&file, &SIZES);
        drop((file, room));
        made
    });
    let made = work.await;
    made.map(Some)
        .map_err(|error| Fault::new(Code::Internal, format!("a picture has broken: {error}")))
}

/// Writes the files; those of an earlier attempt are replaced.
async fn store(context: &Context, name: Uuid, files: Vec<File>) -> Result<(), Fault> {
    let writes = files.into_iter().map(|file| async move {
        let (folder, size) = (folder(name), file.size.name);
        let key = format!("{folder}/{size}.{}", file.encoding.extension());
        context.blobs.keep(&key, file.content.into()).await
    });
    stream::iter(writes)
        .buffer_unordered(WRITES)
        .try_collect()
        .await
}

/// The sizes stand: publishes the photo, or has it wait for an operator.
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
    } else if let Some(suspicion) = context.trust.suspicion(uploader, texts) {
        photos::hold(&mut transaction, id, suspicion).await?;
    } else {
        photos::publish(&mut transaction, id, now).await?;
        count_published(context, &mut transaction, photo.listing_id, 1).await?;
    }
    commit(context, transaction).await
}

/// There will be no sizes: the uploader is told why.
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

/// Deletes the files if the photo is gone: it may have been deleted while they were written.
async fn clean_up(context: &Context, id: i64, name: Uuid) -> Result<(), Fault> {
    if photos::find(&context.pool, id).await?.is_none() {
        context.blobs.delete_folder(&folder(name)).await?;
    }
    Ok(())
}
