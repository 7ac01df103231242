//! Reports a photo.

use super::{commit, count_published};
use crate::{
    context::Context,
    domain::{Act, ReportReason, Status, Suspicion},
    error::Error,
    store::{decisions, photos, reports},
};

/// Stores a report on a published photo. After the configured number of reports, the photo is hidden until an operator
/// has decided.
pub(crate) async fn report_photo(
    context: &Context,
    profile_id: i64,
    id: i64,
    reason: ReportReason,
    comment: &str,
) -> Result<(), Error> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let locked = photos::lock(&mut transaction, id).await?;
    let photo = locked.filter(|photo| photo.status == Status::Published);
    let photo = photo.ok_or(Error::NotFound)?;
    let report = (reason, comment);
    if !reports::insert(&mut transaction, profile_id, id, report, now).await? {
        return Ok(());
    }
    let open = reports::count_open(&mut transaction, id).await?;
    if open >= i64::from(context.trust.reports_to_hide) {
        photos::hold(&mut transaction, id, Suspicion::Reported).await?;
        let about = (photo.profile_id, Some(id));
        decisions::record(&mut transaction, about, Act::Hidden, "", now).await?;
        count_published(context, &mut transaction, photo.listing_id, -1).await?;
    }
    commit(context, transaction).await?;
    Ok(())
}
