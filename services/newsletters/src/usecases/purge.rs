//! Deletes expired data.

use chassis::error::Fault;
use chrono::TimeDelta;

use crate::{
    context::Context,
    domain::CONFIRMATION_WORKS,
    store::{consents, deliveries, links, paces, requests, subscribers},
};

/// How long guests without newsletters are kept, as the links in their last emails may still be used.
const IDLE: TimeDelta = TimeDelta::days(90);

/// Deletes expired requests and links; returns their number.
pub(crate) async fn purge_requests(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - CONFIRMATION_WORKS;
    let requests = requests::delete_before(&context.pool, before).await?;
    Ok(requests + links::delete_before(&context.pool, before).await?)
}

/// Deletes the buckets of domains without recent emails; returns their number.
pub(crate) async fn purge_paces(context: &Context) -> Result<u64, Fault> {
    paces::delete_before(&context.pool, context.clock.now()).await
}

/// Deletes guests without newsletters for a long time; returns their number.
pub(crate) async fn purge_guests(context: &Context) -> Result<u64, Fault> {
    subscribers::delete_idle(&context.pool, context.clock.now() - IDLE).await
}

/// Empties expired evidence; returns the number of entries.
pub(crate) async fn purge_consents(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.keep_consents;
    consents::empty_before(&context.pool, before).await
}

/// Deletes outcomes of issues that were finished long ago; returns the number of deliveries.
pub(crate) async fn purge_deliveries(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.keep_deliveries;
    deliveries::delete_before(&context.pool, before).await
}
