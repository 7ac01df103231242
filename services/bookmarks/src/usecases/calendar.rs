//! Publishes which events are saved with readers' calendars.

use chassis::error::Fault;
use cityguide_proto::{events::v1::CalendarBookmarkChanged, exchange, key};
use sqlx::PgConnection;

use crate::{context::Context, store::bookmarks};

/// The number of events appended in one transaction.
const BATCH: i64 = 500;

/// Appends the event that a bookmark was saved with the calendar or removed.
pub(super) async fn announce(
    context: &Context,
    transaction: &mut PgConnection,
    profile_id: i64,
    (bookmark_id, event_id): (i64, i64),
    is_saved: bool,
) -> Result<(), sqlx::Error> {
    let event = CalendarBookmarkChanged {
        profile_id,
        bookmark_id,
        event_id,
        is_saved,
    };
    let (exchange, key) = (exchange::CALENDAR, key::CALENDAR_BOOKMARK_CHANGED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await
}

/// Appends an event for every bookmark that is saved with the calendar; returns how many. Removals are not stored, so
/// lost events about removals are not repeated.
pub(crate) async fn replay_calendars(context: &Context) -> Result<u64, Fault> {
    let mut after = (0, 0);
    let mut replayed = 0;
    loop {
        let page = bookmarks::in_calendars(&context.pool, after, BATCH).await?;
        let Some(last) = page.last() else {
            return Ok(replayed);
        };
        after = (last.profile_id, last.id);
        let events = page.iter().map(|one| CalendarBookmarkChanged {
            profile_id: one.profile_id,
            bookmark_id: one.id,
            event_id: one.target_id,
            is_saved: true,
        });
        let events: Vec<_> = events.collect();
        let mut transaction = context.pool.begin().await?;
        let (exchange, key) = (exchange::CALENDAR, key::CALENDAR_BOOKMARK_CHANGED);
        context
            .outbox
            .append_all(&mut transaction, exchange, key, &events)
            .await?;
        context.outbox.commit(transaction).await?;
        replayed += page.len() as u64;
    }
}
