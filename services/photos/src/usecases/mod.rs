//! Use cases, one per file; a change owns its transaction and appends its events.

pub(crate) mod avatars;
pub(crate) mod create_photo;
pub(crate) mod delete_photo;
pub(crate) mod erase_reader;
pub(crate) mod export_reader;
pub(crate) mod import_photo;
pub(crate) mod make_avatar;
pub(crate) mod make_sizes;
pub(crate) mod purge;
pub(crate) mod read_photos;
mod received;
pub(crate) mod rename_uploader;
pub(crate) mod report_photo;
pub(crate) mod restrict_listings;
pub(crate) mod review;

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    error::Fault,
};
use cityguide_proto::{events::v1::PhotosChanged, exchange, key};
use places_proto::v1::{GetListingsRequest, Listing};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    context::Context,
    domain::Status,
    store::{
        counts,
        photos::{self, Locked},
        uploaders,
    },
    tasks::DeleteFiles,
};

/// The folder of a picture's files.
pub(crate) fn folder(name: Uuid) -> String {
    format!("photos/{}", name.simple())
}

/// The maximum number of places in an event.
const EVENT_BATCH: usize = 1_000;
/// The timeout for requesting a place.
const ASKING: Duration = Duration::from_secs(2);

/// A published place.
async fn find_listing(context: &Context, id: i64) -> Result<Option<Listing>, Fault> {
    let call = Call::new(Caller::Operator, ASKING);
    let request = call.request(GetListingsRequest { ids: vec![id] });
    let found = context.places.clone().get_listings(request).await?;
    Ok(found.into_inner().listings.into_iter().next())
}

/// Adds `photos` to the number of a place's published photos (negative if no longer published), and announces the
/// change.
async fn count_published(
    context: &Context,
    transaction: &mut PgConnection,
    listing_id: i64,
    photos: i64,
) -> Result<(), Fault> {
    counts::add(transaction, listing_id, photos).await?;
    announce(context, transaction, &[listing_id]).await
}

/// Publishes an event that the published photos of places have changed.
async fn announce(
    context: &Context,
    transaction: &mut PgConnection,
    listing_ids: &[i64],
) -> Result<(), Fault> {
    let event = PhotosChanged {
        listing_ids: listing_ids.to_vec(),
    };
    let (exchange, key) = (exchange::CATALOG, key::PHOTOS_CHANGED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await?;
    Ok(())
}

/// Deletes a locked photo; a durable job deletes its files.
async fn delete(
    context: &Context,
    transaction: &mut PgConnection,
    photo: &Locked,
) -> Result<(), Fault> {
    photos::delete(transaction, photo.id).await?;
    uploaders::add(transaction, photo.profile_id, -1).await?;
    if photo.status == Status::Published {
        count_published(context, transaction, photo.listing_id, -1).await?;
    }
    delete_files(context, transaction, photo.name, photo.incoming).await
}

/// Queues a durable job that deletes the files of a picture, and the received file.
async fn delete_files(
    context: &Context,
    transaction: &mut PgConnection,
    name: Uuid,
    incoming: Option<Uuid>,
) -> Result<(), Fault> {
    let files = DeleteFiles { name, incoming };
    context.jobs.append(transaction, &files).await?;
    Ok(())
}

/// Publishes an event about the places whose photos show a reader's name and avatar.
async fn announce_places_of(
    context: &Context,
    transaction: &mut PgConnection,
    profile_id: i64,
) -> Result<(), Fault> {
    let places = photos::places_of_reader(transaction, profile_id).await?;
    for places in places.chunks(EVENT_BATCH) {
        announce(context, transaction, places).await?;
    }
    Ok(())
}

/// Commits, and wakes this process's relay and workers.
async fn commit(
    context: &Context,
    transaction: sqlx::Transaction<'_, sqlx::Postgres>,
) -> Result<(), Fault> {
    context.jobs.commit(transaction).await?;
    context.outbox.wake();
    Ok(())
}
