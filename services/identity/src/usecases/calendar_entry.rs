//! Synchronises a bookmark's calendar event with the bookmark.

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    origin::Origin,
    postgres,
};
use cityguide_proto::events::v1::CalendarBookmarkChanged;
use editorial_proto::v1::{GetCalendarEventsRequest, Item};
use serde_json::Value;
use uuid::Uuid;

use super::calendar_grant::{Needed, access_token};
use crate::{
    calendar_event::calendar_event,
    context::Context,
    domain::{Entry, SyncJob, google_id},
    error::Error,
    google::{Google, GoogleError},
    owners::Owners,
    store::calendar_entries,
};

/// The timeout for requesting the event.
const ASKING: Duration = Duration::from_secs(5);

/// Updates the calendar entry of a changed bookmark and queues its synchronisation; once per message.
pub(crate) async fn keep_entry(
    context: &Context,
    (queue, message): (&str, Uuid),
    change: &CalendarBookmarkChanged,
) -> Result<(), Error> {
    let now = context.clock.now();
    let (profile_id, bookmark_id) = (change.profile_id, change.bookmark_id);
    let site: &Origin = &context.site.origin;
    let entry = Entry {
        profile_id,
        bookmark_id,
        event_id: change.event_id,
        google_id: google_id(site, profile_id, bookmark_id),
        written_at: None,
        unwanted_at: None,
    };
    let mut transaction = context.pool.begin().await?;
    if !postgres::first_time(&mut transaction, queue, message, now).await? {
        return Ok(());
    }
    if change.is_saved {
        calendar_entries::want(&mut transaction, &entry).await?;
    } else {
        calendar_entries::unwant(&mut transaction, &entry, now).await?;
    }
    let job = SyncJob {
        profile_id,
        bookmark_id,
    };
    context.jobs.append(&mut transaction, &job).await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}

/// Writes or removes a bookmark's calendar event. Without authorisation nothing is done: a calendar that is connected
/// again gets the most recently saved events.
pub(crate) async fn sync_entry(
    context: &Context,
    owners: &Owners,
    job: &SyncJob,
) -> Result<(), Error> {
    let Some(google) = &context.google else {
        return Ok(());
    };
    let found = calendar_entries::find(&context.pool, job.profile_id, job.bookmark_id).await?;
    let Some(entry) = found else { return Ok(()) };
    if entry.unwanted_at.is_some() {
        return remove(context, google, &entry).await;
    }
    if entry.written_at.is_some() {
        return Ok(());
    }
    let Some(item) = event(owners, entry.event_id).await? else {
        return Ok(());
    };
    let event = calendar_event(&context.site.origin, &entry.google_id, &item)?;
    if apply(context, google, &entry, Change::Write(&event)).await? {
        let now = context.clock.now();
        let is_wanted = calendar_entries::set_written(&context.pool, &entry, Some(now)).await?;
        if !is_wanted {
            // The bookmark was removed in the meantime, perhaps before its event was written.
            return remove(context, google, &entry).await;
        }
    }
    Ok(())
}

async fn remove(context: &Context, google: &Google, entry: &Entry) -> Result<(), Error> {
    let change = Change::Remove(&entry.google_id);
    if apply(context, google, entry, change).await? {
        calendar_entries::set_written(&context.pool, entry, None).await?;
    }
    Ok(())
}

/// A change to a calendar.
#[derive(Debug, Clone, Copy)]
enum Change<'a> {
    /// Writes an event.
    Write(&'a Value),
    /// Removes the event with this id.
    Remove(&'a str),
}

impl Change<'_> {
    async fn make(self, google: &Google, token: &str) -> Result<(), GoogleError> {
        match self {
            Self::Write(event) => google.write(token, event).await,
            Self::Remove(google_id) => google.remove(token, google_id).await,
        }
    }
}

/// Applies a change with the reader's token, and retries with a new token if Google refuses it. Returns whether the
/// calendar is authorised.
async fn apply(
    context: &Context,
    google: &Google,
    entry: &Entry,
    change: Change<'_>,
) -> Result<bool, Error> {
    let reader = entry.profile_id;
    let Some(token) = access_token(context, google, reader, Needed::Valid).await? else {
        return Ok(false);
    };
    match change.make(google, &token).await {
        Err(GoogleError::Refused) => {}
        done => return Ok(done.map(|()| true)?),
    }
    let other = Needed::OtherThan(&token);
    let Some(token) = access_token(context, google, reader, other).await? else {
        return Ok(false);
    };
    change.make(google, &token).await?;
    Ok(true)
}

/// A published event, as required for calendars.
async fn event(owners: &Owners, id: i64) -> Result<Option<Item>, Error> {
    let call = Call::new(Caller::Operator, ASKING);
    let request = call.request(GetCalendarEventsRequest { ids: vec![id] });
    let found = owners.calendar_events(request).await?;
    let published = found.into_iter().find(|event| !event.is_unpublished);
    Ok(published.and_then(|event| event.item))
}
