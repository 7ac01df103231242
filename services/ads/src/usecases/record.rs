//! Records events, each only once. They are judged and counted soon after ([`judge`](super::judge)), in the order of
//! the log.

use std::collections::{BTreeSet, HashMap};

use chassis::error::Fault;

use super::names::named;
use crate::{
    context::Context,
    domain::{Event, Outcome, at_first_sight},
    store::{events, log},
};

/// Stores events; returns the outcome of each. Events that are already stored change nothing.
pub(crate) async fn record(
    context: &Context,
    came: Vec<Event>,
) -> Result<HashMap<Event, Outcome>, Fault> {
    for day in came.iter().map(events::day_of).collect::<BTreeSet<_>>() {
        if !context.loaded.has_day(day) {
            events::ensure_day(&context.pool, day).await?;
            context.loaded.note_day(day);
        }
    }
    let ids = came.iter().map(|event| event.creative_id).collect();
    let names = named(&context.loaded, &context.pool, ids).await?;
    let is_known = |event: &Event| {
        let names = names.get(&event.creative_id);
        names.is_some_and(|names| names.line_item_id == event.line_item_id)
    };
    let (mut known, unknown): (Vec<Event>, Vec<Event>) = came.into_iter().partition(is_known);
    let mut outcomes: HashMap<Event, Outcome> = unknown
        .into_iter()
        .map(|event| (event, Outcome::Unknown))
        .collect();
    known.sort_by_key(|event| event.at);
    let mut seen = BTreeSet::new();
    let (first, again): (Vec<Event>, Vec<Event>) = known
        .into_iter()
        .partition(|event| seen.insert((event.opportunity, event.kind)));
    outcomes.extend(again.into_iter().map(|event| (event, Outcome::Repeated)));
    if first.is_empty() {
        return Ok(outcomes);
    }
    let first: Vec<_> = first
        .into_iter()
        .map(|event| {
            let verdict = at_first_sight(&event);
            (event, verdict)
        })
        .collect();
    let appended = log::append(&context.pool, &first).await?;
    outcomes.extend(first.into_iter().map(|(event, _)| {
        let is_new = appended.contains(&(event.opportunity, event.kind));
        let outcome = if is_new {
            Outcome::Counted
        } else {
            Outcome::Repeated
        };
        (event, outcome)
    }));
    Ok(outcomes)
}
