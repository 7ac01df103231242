//! One item with its text.

use chassis::error::Fault;
use chrono::{DateTime, Utc};

use crate::{
    context::Context,
    domain::{CalendarEvent, ItemText, Kind, Occurrence, PagePath},
    store::{items, occurrences},
};

/// Ids that one call may name.
const MAX_IDS: usize = 100;
/// Occurrences in the answer for an event.
const MAX_OCCURRENCES: i64 = 100;

/// An item, and the occurrences of an event to come.
pub(crate) type Found = (ItemText, Vec<Occurrence>);

/// One live item; if it is age-restricted only its name, unless the reader is of age.
pub(crate) async fn get_item(
    context: &Context,
    kind: Kind,
    id: i64,
    of_age: bool,
) -> Result<Found, Fault> {
    let found = items::find(&context.pool, kind, id).await?;
    let mut item = found.ok_or_else(Fault::not_found)?;
    let upcoming = if kind == Kind::Event {
        when(context, &mut item, context.clock.now()).await?
    } else {
        Vec::new()
    };
    Ok((if of_age { item } else { item.gated() }, upcoming))
}

/// The live items of a kind among these ids; age-restricted ones have only their name.
pub(crate) async fn get_items(
    context: &Context,
    kind: Kind,
    ids: &[i64],
) -> Result<Vec<ItemText>, Fault> {
    let now = context.clock.now();
    let found = items::among(&context.pool, kind, at_most(ids)?, false, now).await?;
    Ok(found.into_iter().map(ItemText::gated).collect())
}

/// The events among these ids for a reader's calendar, also those that have been unpublished since; age-restricted ones
/// have only their name.
pub(crate) async fn get_calendar_events(
    context: &Context,
    ids: &[i64],
) -> Result<Vec<CalendarEvent>, Fault> {
    let now = context.clock.now();
    let found = items::for_calendar(&context.pool, at_most(ids)?, now).await?;
    let gated = found.into_iter().map(|event| CalendarEvent {
        item: event.item.gated(),
        ..event
    });
    Ok(gated.collect())
}

/// Refuses a call that names too many ids.
pub(crate) fn at_most(ids: &[i64]) -> Result<&[i64], Fault> {
    if ids.len() > MAX_IDS {
        let message = format!("Ensure at most {MAX_IDS} ids.");
        return Err(Fault::invalid_field("ids", message));
    }
    Ok(ids)
}

/// A page of the site.
pub(crate) async fn get_page(context: &Context, slug: &str) -> Result<ItemText, Fault> {
    let path = PagePath::new(Kind::Page, "", slug);
    let found = items::at(&context.pool, &path).await?;
    Ok(found.ok_or_else(Fault::not_found)?.gated())
}

/// Fills in the next occurrence, or the last if all are over; returns those to come.
async fn when(
    context: &Context,
    event: &mut ItemText,
    now: DateTime<Utc>,
) -> Result<Vec<Occurrence>, Fault> {
    let id = event.item.id;
    let upcoming = occurrences::after(&context.pool, id, now, MAX_OCCURRENCES).await?;
    event.item.occurrence = match upcoming.first() {
        Some(next) => Some(*next),
        None => occurrences::last(&context.pool, id).await?,
    };
    Ok(upcoming)
}
