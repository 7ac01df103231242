//! Returns items with their texts.

use chassis::error::Fault;
use chrono::{DateTime, Utc};

use crate::{
    context::Context,
    domain::{CalendarEvent, ItemText, Kind, Occurrence, PagePath},
    store::{items, occurrences},
};

/// Maximum number of ids per call.
const MAX_IDS: usize = 100;
/// Maximum number of occurrences in the response for an event.
const MAX_OCCURRENCES: i64 = 100;

/// An item and its future occurrences.
pub(crate) type Found = (ItemText, Vec<Occurrence>);

/// Returns a live item. Age-restricted content is omitted unless the reader is of age.
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

/// Returns the live items of a kind with these ids. Of age-restricted items, only the name is included.
pub(crate) async fn get_items(
    context: &Context,
    kind: Kind,
    ids: &[i64],
) -> Result<Vec<ItemText>, Fault> {
    let now = context.clock.now();
    let found = items::among(&context.pool, kind, at_most(ids)?, false, now).await?;
    Ok(found.into_iter().map(ItemText::gated).collect())
}

/// Returns the events with these ids for a reader's calendar, including unpublished ones. Of age-restricted events,
/// only the name is included.
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

/// Rejects a call with too many ids.
pub(crate) fn at_most(ids: &[i64]) -> Result<&[i64], Fault> {
    if ids.len() > MAX_IDS {
        let message = format!("Ensure at most {MAX_IDS} ids.");
        return Err(Fault::invalid_field("ids", message));
    }
    Ok(ids)
}

/// Returns a static page of the site.
pub(crate) async fn get_page(context: &Context, slug: &str) -> Result<ItemText, Fault> {
    let path = PagePath::new(Kind::Page, "", slug);
    let found = items::at(&context.pool, &path).await?;
    Ok(found.ok_or_else(Fault::not_found)?.gated())
}

/// Sets the next occurrence, or the last if the event is over; returns the future occurrences.
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
