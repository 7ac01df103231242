//! Judges the waiting events in the order of the log. The verdicts and all counts are updated in the transaction that
//! links and signs the batches, so that the log, the reports and the deliveries always agree.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use ad_delivery::{Counts, EventKind, Link, LogKey, LoggedEvent, Verdict, digest};
use chassis::error::{Code, Fault};
use chrono::{DateTime, DurationRound as _, NaiveDate, TimeDelta, Utc};
use sqlx::PgConnection;

use super::names::named;
use crate::{
    context::Context,
    domain::{Facts, Names, judge},
    store::{
        batches::{self, Waiting},
        deliveries,
        events::{self, Judged, Unjudged},
        log_keys, reports,
    },
};

/// The maximum number of batches per transaction; a batch has at most a hundred events.
const BATCHES: i64 = 200;
/// The maximum value of the gauge of waiting batches.
const MAX_COUNTED: i64 = 100_000;

/// Runs [`judge_waiting`] as a job, which also measures the number of waiting batches.
pub(crate) async fn judge_in_background(context: &Context) -> Result<u64, Fault> {
    let waiting = batches::waiting(&context.pool, MAX_COUNTED).await?;
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    metrics::gauge!("ad_batches_waiting").set(waiting as f64);
    let judged = judge_waiting(context).await?;
    metrics::gauge!("ad_batches_waiting").set(0.0);
    Ok(judged)
}

/// Judges the events that were stored before the call; returns the number of batches.
pub(crate) async fn judge_waiting(context: &Context) -> Result<u64, Fault> {
    let mut all = 0;
    loop {
        let judged = judge_next(context).await?;
        all += judged;
        if judged < BATCHES.unsigned_abs() {
            return Ok(all);
        }
    }
}

/// Judges the next batches, up to the limit of a transaction; returns how many. More batches than this wait only after
/// a fault.
pub(crate) async fn judge_next(context: &Context) -> Result<u64, Fault> {
    if batches::waiting(&context.pool, 1).await? == 0 {
        return Ok(0);
    }
    let mut transaction = context.pool.begin().await?;
    let waiting = batches::take(&mut transaction, BATCHES).await?;
    if waiting.is_empty() {
        return Ok(0);
    }
    let (linked, judged) = count(context, &mut transaction, &waiting).await?;
    let last = batches::last(&mut transaction).await?;
    let key = key_after(context, &mut transaction, last).await?;
    let sign = |link: &Link| context.signer.sign(&link.digest, &key.public_key);
    batches::link(&mut transaction, last, &linked, sign).await?;
    transaction.commit().await?;
    for (event, verdict) in judged {
        let (kind, verdict) = (event.kind.name(), verdict.name());
        metrics::counter!("ad_events_total", "kind" => kind, "verdict" => verdict).increment(1);
    }
    Ok(linked.len() as u64)
}

/// The key that signs the links after the last one. A new key is stored with the first link that it signs.
async fn key_after(
    context: &Context,
    connection: &mut PgConnection,
    last: Link,
) -> Result<LogKey, Fault> {
    let used = log_keys::all(&mut *connection).await?;
    let (position, now) = (last.position + 1, context.clock.now());
    let key = context.signer.key_at(position, &used, now);
    let key = key.ok_or_else(|| Fault::new(Code::Internal, "no key to sign the log"))?;
    if used.last() != Some(&key) {
        log_keys::insert(connection, &key).await?;
        if !used.is_empty() && key.handover.is_empty() {
            tracing::warn!(
                position,
                "the log has a new key, which the previous key has not signed"
            );
        }
    }
    Ok(key)
}

/// Judges and counts the events of batches; returns the batches with their digests, and the events.
async fn count(
    context: &Context,
    connection: &mut PgConnection,
    waiting: &[Waiting],
) -> Result<(Vec<(i64, [u8; 32])>, Vec<Judged>), Fault> {
    let (ids, days) = ids_and_days(waiting);
    let events = events::unjudged(connection, (&days, &ids)).await?;
    let creatives = events.iter().map(|event| event.creative_id).collect();
    let names = named(&context.loaded, &mut *connection, creatives).await?;
    let judged = judged(connection, events, &names).await?;
    add(connection, &judged, &names).await?;
    let mut logged: BTreeMap<i64, Vec<LoggedEvent>> = BTreeMap::new();
    for one in &judged {
        if let Some(names) = names.get(&one.0.creative_id) {
            let events = logged.entry(one.0.batch_id).or_default();
            events.push(self::logged(one, names));
        }
    }
    let linked = waiting.iter().map(|batch| {
        let events = logged.get(&batch.id);
        (batch.id, digest(events.map_or(&[], Vec::as_slice)))
    });
    Ok((linked.collect(), judged))
}

/// The ids of batches, and the days of their events.
fn ids_and_days(waiting: &[Waiting]) -> (Vec<i64>, Vec<NaiveDate>) {
    let ids = waiting.iter().map(|batch| batch.id).collect();
    let days = waiting.iter().flat_map(|batch| batch.days.iter().copied());
    let days: BTreeSet<_> = days.collect();
    (ids, days.into_iter().collect())
}

/// Judges events. Locks the deliveries of their line items until the transaction ends.
async fn judged(
    connection: &mut PgConnection,
    events: Vec<Unjudged>,
    names: &BTreeMap<i64, Arc<Names>>,
) -> Result<Vec<Judged>, sqlx::Error> {
    let line_items: BTreeSet<i64> = names.values().map(|names| names.line_item_id).collect();
    let line_items: Vec<i64> = line_items.into_iter().collect();
    let mut left = deliveries::lock(connection, &line_items).await?;
    let judged = events.into_iter().map(|event| {
        let names = names.get(&event.creative_id);
        let left = names.and_then(|names| left.get_mut(&names.line_item_id));
        let facts = Facts {
            left: left.as_deref().copied(),
            has_impression: event.has_impression,
        };
        let verdict = judge(event.kind, event.at_first_sight, facts);
        if let Some(left) = left
            && is_charged_impression(&event, verdict)
        {
            *left -= 1;
        }
        (event, verdict)
    });
    Ok(judged.collect())
}

/// Stores the verdicts, and updates all counts.
async fn add(
    connection: &mut PgConnection,
    judged: &[Judged],
    names: &BTreeMap<i64, Arc<Names>>,
) -> Result<(), sqlx::Error> {
    let mut charged: BTreeMap<i64, i64> = BTreeMap::new();
    let mut hourly: BTreeMap<(i64, DateTime<Utc>), Counts> = BTreeMap::new();
    for (event, verdict) in judged {
        let hour = (event.creative_id, hour_of(event.at));
        *hourly.entry(hour).or_default() += Counts::of(event.kind, *verdict);
        if let Some(names) = names.get(&event.creative_id)
            && is_charged_impression(event, *verdict)
        {
            *charged.entry(names.line_item_id).or_default() += 1;
        }
    }
    deliveries::add_impressions(connection, &charged).await?;
    reports::add(connection, &hourly).await?;
    let differs = |(event, verdict): &&Judged| event.at_first_sight != *verdict;
    let others: Vec<_> = judged.iter().filter(differs).collect();
    events::set_verdicts(connection, &others).await
}

fn is_charged_impression(event: &Unjudged, verdict: Verdict) -> bool {
    verdict == Verdict::Charged && event.kind == EventKind::Impression
}

fn logged((event, verdict): &Judged, names: &Names) -> LoggedEvent {
    LoggedEvent {
        opportunity: event.opportunity,
        kind: event.kind,
        at: event.at.timestamp_millis(),
        campaign: names.campaign.clone(),
        line_item: names.line_item.clone(),
        creative: names.creative.clone(),
        position: event.position.clone(),
        verdict: *verdict,
    }
}

/// The start of the hour (UTC).
pub(crate) fn hour_of(at: DateTime<Utc>) -> DateTime<Utc> {
    at.duration_trunc(TimeDelta::hours(1)).unwrap_or(at)
}
