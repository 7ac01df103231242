//! The editors' review of photos.

use chassis::error::Fault;
use cityguide_proto::{events::v1::PhotoRefused, exchange, key};
use sqlx::PgConnection;

use super::{avatars::clear_avatar, commit, count_published, find_listing};
use crate::{
    context::Context,
    domain::{Act, Decision, Photo, Report, Status, is_on_instagram},
    error::Error,
    store::{
        decisions,
        photos::{self, Locked},
        reports, uploaders,
    },
};

/// The maximum number of listed photos.
const LISTED: i64 = 100;
/// The number of photos refused in one transaction.
const BATCH: i64 = 100;

/// A photo with all data that an operator needs for a decision.
#[derive(Debug)]
pub(crate) struct Reviewed {
    pub(crate) photo: Photo,
    pub(crate) reports: Vec<Report>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) is_banned: bool,
}

/// The photos that await review, oldest first.
pub(crate) async fn list_waiting(context: &Context) -> Result<Vec<Photo>, Error> {
    Ok(photos::waiting(&context.pool, LISTED).await?)
}

/// A photo of any status.
pub(crate) async fn show_photo(context: &Context, id: i64) -> Result<Reviewed, Error> {
    let pool = &context.pool;
    let photo = photos::find(pool, id).await?.ok_or(Error::NotFound)?;
    Ok(Reviewed {
        reports: reports::about(pool, id).await?,
        decisions: decisions::about(pool, photo.profile_id, id).await?,
        is_banned: uploaders::is_banned(pool, photo.profile_id).await?,
        photo,
    })
}

/// Publishes a photo. A photo that is already published is unchanged, and its reports no longer count.
pub(crate) async fn accept_photo(context: &Context, id: i64) -> Result<(), Error> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let photo = lock_made(&mut transaction, id).await?;
    reports::settle(&mut transaction, id).await?;
    if photo.status != Status::Published {
        photos::publish(&mut transaction, id, now).await?;
        uploaders::judge(&mut transaction, photo.profile_id, true).await?;
        count_published(context, &mut transaction, photo.listing_id, 1).await?;
    }
    let about = (photo.profile_id, Some(id));
    decisions::record(&mut transaction, about, Act::Accepted, "", now).await?;
    commit(context, transaction).await?;
    Ok(())
}

/// Refuses a photo, and notifies its uploader with the reason.
pub(crate) async fn refuse_photo(context: &Context, id: i64, reason: &str) -> Result<(), Error> {
    let name = match photos::find(&context.pool, id).await? {
        Some(photo) => listing_name(context, photo.listing_id).await?,
        None => return Err(Error::NotFound),
    };
    let mut transaction = context.pool.begin().await?;
    let photo = lock_made(&mut transaction, id).await?;
    refuse(context, &mut transaction, &photo, &name, reason).await?;
    commit(context, transaction).await?;
    Ok(())
}

/// Bans a reader from uploading, which refuses the reader's waiting photos and removes the avatar, or unbans the
/// reader; returns the number of refused photos.
pub(crate) async fn set_ban(
    context: &Context,
    profile_id: i64,
    is_banned: bool,
    reason: &str,
) -> Result<i64, Error> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let banned_at = is_banned.then_some(now);
    if uploaders::set_ban(&mut transaction, profile_id, banned_at).await? {
        let act = if is_banned { Act::Banned } else { Act::Allowed };
        decisions::record(&mut transaction, (profile_id, None), act, reason, now).await?;
        if is_banned {
            clear_avatar(context, &mut transaction, profile_id).await?;
        }
    } else if !uploaders::exists(&mut transaction, profile_id).await? {
        return Err(Error::NotFound);
    }
    commit(context, transaction).await?;
    if is_banned {
        refuse_waiting(context, profile_id, reason).await
    } else {
        Ok(0)
    }
}

/// Refuses all of a reader's waiting photos; returns how many.
async fn refuse_waiting(context: &Context, profile_id: i64, reason: &str) -> Result<i64, Error> {
    let mut refused = 0;
    loop {
        let some = refuse_some(context, profile_id, reason).await?;
        refused += some;
        if some < BATCH {
            return Ok(refused);
        }
    }
}

/// Refuses a batch of a reader's waiting photos; returns how many.
async fn refuse_some(context: &Context, profile_id: i64, reason: &str) -> Result<i64, Error> {
    let mut transaction = context.pool.begin().await?;
    let waiting = [Status::Waiting];
    let ids = photos::ids_of_reader(&mut *transaction, profile_id, &waiting, BATCH).await?;
    let mut refused = 0;
    for id in ids {
        let locked = photos::lock(&mut transaction, id).await?;
        if let Some(photo) = locked.filter(|photo| photo.status == Status::Waiting) {
            // No mail is sent about each photo of a banned reader.
            let now = context.clock.now();
            photos::refuse(&mut transaction, id, reason, now).await?;
            let about = (photo.profile_id, Some(id));
            decisions::record(&mut transaction, about, Act::Refused, reason, now).await?;
            refused += 1;
        }
    }
    commit(context, transaction).await?;
    Ok(refused)
}

/// Refuses a locked photo and, unless it is from Instagram, notifies its uploader.
async fn refuse(
    context: &Context,
    transaction: &mut PgConnection,
    photo: &Locked,
    listing_name: &str,
    reason: &str,
) -> Result<(), Fault> {
    let now = context.clock.now();
    photos::refuse(transaction, photo.id, reason, now).await?;
    reports::settle(transaction, photo.id).await?;
    uploaders::judge(transaction, photo.profile_id, false).await?;
    let about = (photo.profile_id, Some(photo.id));
    decisions::record(transaction, about, Act::Refused, reason, now).await?;
    if photo.status == Status::Published {
        count_published(context, transaction, photo.listing_id, -1).await?;
    }
    if is_on_instagram(photo.profile_id) {
        return Ok(());
    }
    let event = PhotoRefused {
        photo_id: photo.id,
        profile_id: photo.profile_id,
        listing_name: listing_name.to_owned(),
        reason: reason.to_owned(),
    };
    let (exchange, key) = (exchange::PHOTOS, key::PHOTO_REFUSED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await?;
    Ok(())
}

/// Locks a photo whose sizes are made.
async fn lock_made(transaction: &mut PgConnection, id: i64) -> Result<Locked, Error> {
    let locked = photos::lock(transaction, id).await?;
    locked.filter(|photo| photo.is_made).ok_or(Error::NotFound)
}

/// The name of a place; "a place" if it is no longer published.
async fn listing_name(context: &Context, listing_id: i64) -> Result<String, Fault> {
    let listing = find_listing(context, listing_id).await?;
    Ok(listing.map_or_else(|| "a place".to_owned(), |listing| listing.name))
}
