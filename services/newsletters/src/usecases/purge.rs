//! Delete what is no longer needed.

use chassis::error::Fault;
use chrono::TimeDelta;

use crate::{
    context::Context,
    domain::CONFIRMATION_WORKS,
    store::{consents, deliveries, links, paces, requests, subscribers},
};

/// Guests without a newsletter are kept for this long: the links of the last one may be used until then.
const IDLE: TimeDelta = TimeDelta::days(90);

/// Deletes requests and links that nobody has used in time; returns how many.
pub(crate) async fn purge_requests(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - CONFIRMATION_WORKS;
    let requests = requests::delete_before(&context.pool, before).await?;
    Ok(requests + links::delete_before(&context.pool, before).await?)
}

/// Deletes the paces of domains that have got nothing of late; returns how many.
pub(crate) async fn purge_paces(context: &Context) -> Result<u64, Fault> {
    paces::delete_before(&context.pool, context.clock.now()).await
}

/// Deletes guests who have had no newsletter for long; returns how many.
pub(crate) async fn purge_guests(context: &Context) -> Result<u64, Fault> {
    subscribers::delete_idle(&context.pool, context.clock.now() - IDLE).await
}

/// Empties evidence that was kept long enough; returns how many entries.
pub(crate) async fn purge_consents(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.keep_consents;
    consents::empty_before(&context.pool, before).await
}

/// Deletes what became of issues that ended long ago; returns for how many recipients.
pub(crate) async fn purge_deliveries(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.keep_deliveries;
    deliveries::delete_before(&context.pool, before).await
}
