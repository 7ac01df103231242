//! Erases all of a reader's data.

use chassis::{error::Fault, postgres::erased, readers::Erasure};
use cityguide_proto::readers::v1::EraseResponse;

use super::{avatars::clear_avatar, commit, delete};
use crate::{
    context::Context,
    domain::Status,
    store::{photos, readers},
};

/// The kinds of records in receipts and exports.
pub(super) const PHOTOS: &str = "photos";
pub(super) const REPORTS: &str = "photo_reports";
pub(super) const DECISIONS: &str = "photo_decisions";
pub(super) const UPLOADER: &str = "photo_uploaders";

/// The number of photos deleted in one transaction.
const BATCH: i64 = 100;
const EVERY_STATUS: [Status; 4] = [
    Status::Processing,
    Status::Waiting,
    Status::Published,
    Status::Refused,
];

/// Deletes the reader's photos and avatar with their files, the reader's reports, and the decisions about the reader;
/// returns the total that this erasure has deleted.
pub(crate) async fn erase_reader(
    context: &Context,
    erasure: &Erasure,
) -> Result<EraseResponse, Fault> {
    erased::begin(&context.pool, erasure.profile_id, context.clock.now()).await?;
    while erase_photos(context, erasure).await? == BATCH.unsigned_abs() {}
    let (id, now) = (erasure.id, context.clock.now());
    let mut transaction = context.pool.begin().await?;
    let reader = erasure.profile_id;
    let reports = readers::delete_reports(&mut transaction, reader).await?;
    erased::add(&mut transaction, id, REPORTS, reports, now).await?;
    let decisions = readers::delete_decisions(&mut transaction, reader).await?;
    erased::add(&mut transaction, id, DECISIONS, decisions, now).await?;
    clear_avatar(context, &mut transaction, reader).await?;
    let uploader = readers::delete_uploader(&mut transaction, reader).await?;
    erased::add(&mut transaction, id, UPLOADER, uploader, now).await?;
    commit(context, transaction).await?;
    Ok(erased::answer(&context.pool, erasure.id, Vec::new()).await?)
}

/// Deletes a batch of photos; returns how many.
async fn erase_photos(context: &Context, erasure: &Erasure) -> Result<u64, Fault> {
    let mut transaction = context.pool.begin().await?;
    let reader = erasure.profile_id;
    let ids = photos::ids_of_reader(&mut *transaction, reader, &EVERY_STATUS, BATCH).await?;
    let mut rows = 0;
    for id in &ids {
        if let Some(photo) = photos::lock(&mut transaction, *id).await? {
            delete(context, &mut transaction, &photo).await?;
            rows += 1;
        }
    }
    let (id, now) = (erasure.id, context.clock.now());
    erased::add(&mut transaction, id, PHOTOS, rows, now).await?;
    commit(context, transaction).await?;
    Ok(ids.len() as u64)
}
