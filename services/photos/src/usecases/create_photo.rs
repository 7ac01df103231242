//! Creates a photo from a received file.

use chassis::{digest, entropy, error::Fault, instant, postgres::Attempt};
use chrono::{DateTime, Utc};
use futures::FutureExt;
use photos_proto::v1::{CreatePhotoRequest, CreatePhotoResponse};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    commit, delete, find_listing,
    received::{self, Checked, Wait},
};
use crate::{
    context::Context,
    domain::{NewPhoto, Photo, Status},
    error::Error,
    store::{photos, uploaders},
    tasks::MakeSizes,
};

/// A photo, and whether this call created it.
#[derive(Debug)]
pub(crate) struct Created {
    pub(crate) photo: Photo,
    pub(crate) is_new: bool,
}

/// A photo in the database.
struct Stored {
    id: i64,
    created_at: DateTime<Utc>,
    /// Whether this call, or the first call with its key, created the photo.
    is_new: bool,
    /// Whether an earlier call with the same key stored the photo.
    is_repeat: bool,
}

/// Creates a photo from a received file, or returns the reader's existing photo of the place with the same file. The
/// file is consumed in any case. `key` is the call's Idempotency-Key, if it has one: a repeat gets the first call's
/// response, even if the photo has since been deleted; `Conflict` if the key was used with another file or
/// other texts.
pub(crate) async fn create_photo(
    context: &Context,
    profile_id: i64,
    incoming: Uuid,
    new: &NewPhoto,
    key: &str,
) -> Result<Created, Error> {
    let checked = check(context, profile_id, incoming, new).boxed().await;
    let stored = match checked {
        Ok(file) => store(context, profile_id, incoming, new, &file, key).await,
        Err(error) => Err(error),
    };
    let stored = match stored {
        Ok(stored) => stored,
        Err(error) => {
            context.discard(incoming).await;
            return Err(error);
        }
    };
    let Stored {
        is_new, is_repeat, ..
    } = stored;
    if !is_new || is_repeat {
        context.discard(incoming).await;
    }
    let photo = match wait_for_sizes(context, stored.id).await? {
        Some(photo) => photo,
        None if is_repeat => Photo::deleted(stored.id, profile_id, new, stored.created_at),
        None => return Err(Error::Deleted),
    };
    if is_new && !is_repeat && photo.status == Status::Refused && photo.picture.is_none() {
        return Err(withdraw(context, photo).await);
    }
    Ok(Created { photo, is_new })
}

/// Checks that the reader may create a photo of this place with this file.
async fn check(
    context: &Context,
    profile_id: i64,
    incoming: Uuid,
    new: &NewPhoto,
) -> Result<Checked, Error> {
    if uploaders::is_banned(&context.pool, profile_id).await? {
        return Err(Error::Banned);
    }
    let listing = find_listing(context, new.listing_id).await?;
    let listing = listing.ok_or(Error::UnknownListing)?;
    if listing.is_closed {
        return Err(Error::ClosedListing);
    }
    received::check(context, incoming).await
}

/// Stores the photo with the job that makes its sizes.
async fn store(
    context: &Context,
    profile_id: i64,
    incoming: Uuid,
    new: &NewPhoto,
    file: &Checked,
    key: &str,
) -> Result<Stored, Error> {
    let attempt = Attempt::new(Some(key), &said(new, &file.digest));
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let known: Option<CreatePhotoResponse> = attempt.begin(&mut transaction, now).await?;
    if let Some(first) = known {
        let photo = first.photo.unwrap_or_default();
        return Ok(Stored {
            id: photo.id,
            created_at: photo
                .created
                .as_ref()
                .and_then(instant::from_proto)
                .unwrap_or(now),
            is_new: first.is_new,
            is_repeat: true,
        });
    }
    if !uploaders::enter(&mut transaction, profile_id, &new.full_name, now).await? {
        return Err(Error::Banned);
    }
    let received = (file, incoming);
    let inserted = insert(context, &mut transaction, profile_id, new, received, now).await?;
    let (id, is_new) = if let Some(id) = inserted {
        (id, true)
    } else {
        let (listing_id, digest) = (new.listing_id, file.digest.as_slice());
        let same = photos::find_same(&mut transaction, profile_id, listing_id, digest).await?;
        (same.ok_or(Error::Deleted)?, false)
    };
    let answer = CreatePhotoResponse {
        photo: Some(photos_proto::v1::Photo {
            id,
            created: Some(instant::to_proto(now)),
            ..photos_proto::v1::Photo::default()
        }),
        is_new,
    };
    attempt.answered(&mut transaction, &answer).await?;
    context.jobs.commit(transaction).await?;
    Ok(Stored {
        id,
        created_at: now,
        is_new,
        is_repeat: false,
    })
}

/// Inserts a photo for a received file, and queues the job that makes its sizes. Returns `None` if the uploader already
/// has a photo of the place with the same file.
pub(super) async fn insert(
    context: &Context,
    transaction: &mut PgConnection,
    uploader: i64,
    new: &NewPhoto,
    (file, incoming): (&Checked, Uuid),
    created_at: DateTime<Utc>,
) -> Result<Option<i64>, Error> {
    let name = entropy::uuid(context.entropy.as_ref());
    let files = [name, incoming];
    let inserted = photos::insert(transaction, uploader, new, &file.digest, files, created_at);
    let Some(id) = inserted.await? else {
        return Ok(None);
    };
    uploaders::add(transaction, uploader, 1).await?;
    let sizes = MakeSizes {
        photo_id: id,
        name,
        memory: file.memory,
    };
    context.jobs.append(transaction, &sizes).await?;
    Ok(Some(id))
}

/// The data that a repeated call must contain again.
fn said(new: &NewPhoto, digest: &[u8; 32]) -> CreatePhotoRequest {
    CreatePhotoRequest {
        blob: digest::text(digest),
        listing_id: new.listing_id,
        description: new.description.clone(),
        credit: new.credit.clone(),
        licence: new.licence.as_str().to_owned(),
        ..CreatePhotoRequest::default()
    }
}

/// Waits for a limited time for the sizes of a photo; returns the photo's state afterwards.
async fn wait_for_sizes(context: &Context, id: i64) -> Result<Option<Photo>, Error> {
    let mut wait = Wait::begin(context);
    loop {
        let photo = photos::find(&context.pool, id).await?;
        let is_done = photo
            .as_ref()
            .is_none_or(|photo| photo.status != Status::Processing);
        if is_done || !wait.goes_on().await {
            return Ok(photo);
        }
    }
}

/// Deletes a photo whose file turned out to be damaged while its uploader waits for the response, and returns the
/// file's error.
async fn withdraw(context: &Context, photo: Photo) -> Error {
    let removed = async {
        let mut transaction = context.pool.begin().await?;
        if let Some(locked) = photos::lock(&mut transaction, photo.id).await? {
            delete(context, &mut transaction, &locked).await?;
        }
        commit(context, transaction).await
    };
    match removed.await {
        Ok(()) => Fault::invalid_field("image", photo.reason).into(),
        Err(fault) => fault.into(),
    }
}
