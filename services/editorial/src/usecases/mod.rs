//! Use cases, one file each. A change has its own transaction and appends its events to it.

pub(crate) mod contact;
pub(crate) mod drafts;
pub(crate) mod enter_contest;
pub(crate) mod erase_reader;
pub(crate) mod expand_events;
pub(crate) mod export_reader;
pub(crate) mod forget_entries;
pub(crate) mod get_item;
pub(crate) mod import;
pub(crate) mod list_addresses;
pub(crate) mod list_items;
pub(crate) mod list_months;
pub(crate) mod poll_sources;
pub(crate) mod publish_due;
pub(crate) mod replay_items;
pub(crate) mod resolve;
pub(crate) mod search;

use std::collections::BTreeSet;

use chassis::{error::Fault, instant};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{
    events::v1::{ItemSummary, ItemsChanged},
    exchange, key,
};
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Kind, Occurrence, Schedule},
    store::{counts, search::due, turns::Announced},
};

/// Maximum number of items in an event.
const EVENT_BATCH: usize = 100;
/// Period for which occurrences of events are stored, in the past and in the future.
const BEHIND: TimeDelta = TimeDelta::days(31);
const AHEAD: TimeDelta = TimeDelta::days(400);

/// Recounts the lists of changed items, marks the items for indexing and announces them.
async fn announce_recounted(
    context: &Context,
    transaction: &mut PgConnection,
    items: &[Announced],
) -> Result<(), Fault> {
    let kinds = items.iter().filter_map(|item| Kind::parse(&item.kind));
    for kind in kinds.collect::<BTreeSet<_>>() {
        counts::recount(transaction, kind).await?;
    }
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    due::mark(transaction, "item", &ids).await?;
    announce(context, transaction, items).await
}

/// Appends events about items to a transaction.
async fn announce(
    context: &Context,
    transaction: &mut PgConnection,
    items: &[Announced],
) -> Result<(), Fault> {
    for items in items.chunks(EVENT_BATCH) {
        let event = ItemsChanged {
            items: items.iter().map(summary).collect(),
        };
        let (exchange, key) = (exchange::CATALOG, key::ITEMS_CHANGED);
        context
            .outbox
            .append(&mut *transaction, exchange, key, &event)
            .await?;
    }
    Ok(())
}

fn summary(item: &Announced) -> ItemSummary {
    ItemSummary {
        id: item.id,
        kind: item.kind.clone(),
        name: item.name.clone(),
        is_available: item.is_live,
        date_published: Some(instant::to_proto(item.published_at)),
        version: item.version,
    }
}

/// Returns the occurrences of an event that are to be stored.
fn near(schedule: &Schedule, now: DateTime<Utc>) -> Result<Vec<Occurrence>, String> {
    schedule.occurrences(now - BEHIND, now + AHEAD)
}
