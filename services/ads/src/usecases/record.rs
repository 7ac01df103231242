//! Record events: each once, judged, and counted in the transaction that stores it.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use ad_delivery::{Counts, EventKind, LoggedEvent, Verdict, digest};
use chassis::error::Fault;
use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    context::Context,
    domain::{Counted, Event, Facts, Names, Outcome, judge},
    store::{
        campaigns, deliveries, events,
        log::{self, Batch},
    },
};

/// Stores events; returns for each what became of it. Those that were stored before change nothing.
pub(crate) async fn record(
    context: &Context,
    came: Vec<Event>,
) -> Result<HashMap<Event, Outcome>, Fault> {
    for day in came.iter().map(events::day_of).collect::<BTreeSet<_>>() {
        if !context.held.has_day(day) {
            events::ensure_day(&context.pool, day).await?;
            context.held.note_day(day);
        }
    }
    let names = named(
        context,
        came.iter().map(|event| event.creative_id).collect(),
    )
    .await?;
    let is_known = |event: &Event| {
        let names = names.get(&event.creative_id);
        names.is_some_and(|names| names.line_item_id == event.line_item_id)
    };
    let (known, unknown): (Vec<Event>, Vec<Event>) = came.into_iter().partition(is_known);
    let mut outcomes: HashMap<Event, Outcome> = unknown
        .into_iter()
        .map(|event| (event, Outcome::Unknown))
        .collect();
    if known.is_empty() {
        return Ok(outcomes);
    }
    let mut transaction = context.pool.begin().await?;
    let counted = judged(&mut transaction, known, &mut outcomes).await?;
    if !counted.is_empty() {
        log::append(&mut transaction, &batch(&counted, &names)).await?;
    }
    transaction.commit().await?;
    for one in counted {
        let verdict = one.verdict.name();
        metrics::counter!("ad_events_total", "kind" => one.event.kind.name(), "verdict" => verdict)
            .increment(1);
        outcomes.insert(one.event, Outcome::Counted);
    }
    Ok(outcomes)
}

/// The names of creatives; those that are not there have none.
async fn named(
    context: &Context,
    ids: BTreeSet<i64>,
) -> Result<BTreeMap<i64, Arc<Names>>, sqlx::Error> {
    let mut names = context.held.names(&ids);
    let missing: Vec<i64> = ids
        .into_iter()
        .filter(|id| !names.contains_key(id))
        .collect();
    if !missing.is_empty() {
        let read = campaigns::names(&context.pool, &missing).await?;
        context.held.note_names(&read);
        names.extend(read);
    }
    Ok(names)
}

/// The events that the log does not have, with their verdicts; the others are noted as repeated. From here on nobody else
/// counts events of these line items until the transaction ends.
async fn judged(
    connection: &mut PgConnection,
    mut came: Vec<Event>,
    outcomes: &mut HashMap<Event, Outcome>,
) -> Result<Vec<Counted>, sqlx::Error> {
    let line_items: BTreeSet<i64> = came.iter().map(|event| event.line_item_id).collect();
    let line_items: Vec<i64> = line_items.into_iter().collect();
    let mut left = deliveries::lock(connection, &line_items).await?;
    let days: BTreeSet<_> = came.iter().map(events::day_of).collect();
    let days: Vec<_> = days.into_iter().collect();
    let opportunities: Vec<Uuid> = came.iter().map(|event| event.opportunity).collect();
    let mut there = events::there(connection, (&days, &opportunities)).await?;
    // An impression comes before what follows from it, also within one call.
    came.sort_by_key(|event| (event.kind, event.at, event.opportunity));
    let mut counted = Vec::new();
    for event in came {
        if !there.insert((event.opportunity, event.kind)) {
            outcomes.entry(event).or_insert(Outcome::Repeated);
            continue;
        }
        let left = left.get_mut(&event.line_item_id);
        let facts = Facts {
            left: left.as_deref().copied(),
            has_impression: there.contains(&(event.opportunity, EventKind::Impression)),
        };
        let verdict = judge(&event, facts);
        if let Some(left) = left
            && verdict == Verdict::Charged
            && event.kind == EventKind::Impression
        {
            *left -= 1;
        }
        counted.push(Counted { event, verdict });
    }
    Ok(counted)
}

/// Events as the log takes them, with what they add to.
fn batch<'a>(counted: &'a [Counted], names: &BTreeMap<i64, Arc<Names>>) -> Batch<'a> {
    let mut charged: BTreeMap<i64, i64> = BTreeMap::new();
    let mut hourly: BTreeMap<(i64, DateTime<Utc>), Counts> = BTreeMap::new();
    for Counted { event, verdict } in counted {
        let counts = hourly
            .entry((event.creative_id, hour_of(event.at)))
            .or_default();
        *counts += Counts::of(event.kind, *verdict);
        if *verdict == Verdict::Charged && event.kind == EventKind::Impression {
            *charged.entry(event.line_item_id).or_default() += 1;
        }
    }
    let logged: Vec<_> = counted
        .iter()
        .filter_map(|one| Some(logged(one, names.get(&one.event.creative_id)?)))
        .collect();
    let days: BTreeSet<_> = counted
        .iter()
        .map(|one| events::day_of(&one.event))
        .collect();
    Batch {
        events: counted,
        days: days.into_iter().collect(),
        digest: digest(&logged),
        charged,
        hourly,
    }
}

fn logged(counted: &Counted, names: &Names) -> LoggedEvent {
    let event = &counted.event;
    LoggedEvent {
        opportunity: event.opportunity,
        kind: event.kind,
        at: event.at.timestamp_millis(),
        campaign: names.campaign.clone(),
        line_item: names.line_item.clone(),
        creative: names.creative.clone(),
        position: event.position.clone(),
        verdict: counted.verdict,
    }
}

/// The hour of an instant (UTC).
pub(crate) fn hour_of(at: DateTime<Utc>) -> DateTime<Utc> {
    at.duration_trunc(TimeDelta::hours(1)).unwrap_or(at)
}
