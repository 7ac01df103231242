//! Exports all data that this service stores about a reader.

use chassis::{
    instant,
    readers::{EXPORT_ROWS, Export, export_page, record},
};
use chrono::{DateTime, Utc};
use cityguide_proto::readers::v1::{ExportResponse, Record};
use serde::Serialize;

use super::audit::{self, FIRST_ENTRIES, export_entries};
use crate::{
    context::Context,
    domain::{Act, Credential},
    error::Error,
    store::{
        calendar_authorizations, calendar_entries, calendar_feeds, calendar_grants, facebook_links,
        mailed_links, passkeys, profiles, sessions,
    },
};

#[derive(Serialize)]
struct Profile {
    id: i64,
    full_name: String,
    email: String,
    email_verified: bool,
    pending_email: Option<String>,
    calendar_sync: Option<bool>,
    date_created: String,
}

#[derive(Serialize)]
struct Session {
    id: i64,
    device: String,
    date_created: String,
    last_active: String,
}

#[derive(Serialize)]
struct Passkey {
    id: i64,
    device: String,
    date_created: String,
    last_used: Option<String>,
    credential: Credential,
}

#[derive(Serialize)]
struct FacebookLink {
    facebook_id: String,
    date_created: String,
    last_used: String,
}

#[derive(Serialize)]
struct CalendarFeed {
    date_created: String,
}

#[derive(Serialize)]
struct CalendarGrant {
    date_created: String,
    last_checked: String,
}

/// The event that was to be saved with the calendar, if any.
#[derive(Serialize)]
struct CalendarAuthorization {
    object_id: Option<i64>,
    date_created: String,
}

#[derive(Serialize)]
struct CalendarEntry {
    bookmark_id: i64,
    object_id: i64,
    google_event_id: String,
    date_written: Option<String>,
    date_removed: Option<String>,
}

#[derive(Serialize)]
struct MailedLink {
    purpose: String,
    email: String,
    date_created: String,
    expires: String,
}

/// The prefix of the calendar pages' cursors; these pages follow the audit log's pages.
const CALENDAR: &str = "calendar-";

/// The first page contains the account, its sessions, passkeys and Facebook connection, its mailed links, calendar feed
/// and calendar; further pages contain the audit log, in which the first page is recorded, and the calendar events.
/// This service's copy of the last updates is omitted, because the owning services export them.
pub(crate) async fn export(context: &Context, export: &Export) -> Result<ExportResponse, Error> {
    let profile_id = export.profile_id;
    if export.after.is_empty() {
        return first_page(context, profile_id).await;
    }
    if let Some(after) = export.after.strip_prefix(CALENDAR) {
        let after = after.parse().map_err(|_| Export::wrong_page())?;
        return entries(context, profile_id, after).await;
    }
    let page = export_entries(context, profile_id, export.after_id()?).await?;
    let next = page.next.or_else(|| Some(format!("{CALENDAR}0")));
    Ok(ExportResponse { next, ..page })
}

async fn first_page(context: &Context, profile_id: i64) -> Result<ExportResponse, Error> {
    let pool = &context.pool;
    let mut connection = pool.acquire().await?;
    audit::record(context, &mut connection, profile_id, Act::DataExported).await?;
    drop(connection);
    let profile = profiles::find(pool, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    let mut records = vec![record(
        "profile",
        &Profile {
            id: profile.id,
            full_name: profile.full_name,
            email: profile.email,
            email_verified: profile.email_verified,
            pending_email: profile.pending_email,
            calendar_sync: profile.calendar_sync,
            date_created: at(profile.created_at),
        },
    )?];
    for session in sessions::stored(pool, profile_id).await? {
        records.push(record(
            "sessions",
            &Session {
                id: session.id,
                device: session.device,
                date_created: at(session.created_at),
                last_active: at(session.last_active_at),
            },
        )?);
    }
    for passkey in passkeys::of_profile(pool, profile_id).await? {
        records.push(record(
            "passkeys",
            &Passkey {
                id: passkey.id,
                device: passkey.device,
                date_created: at(passkey.created_at),
                last_used: passkey.last_used_at.map(at),
                credential: passkey.credential,
            },
        )?);
    }
    if let Some(connected) = facebook_links::of_profile(pool, profile_id).await? {
        records.push(record(
            "facebook_links",
            &FacebookLink {
                facebook_id: connected.facebook_id,
                date_created: at(connected.created_at),
                last_used: at(connected.last_used_at),
            },
        )?);
    }
    for link in mailed_links::of_profile(pool, profile_id).await? {
        records.push(record(
            "mailed_links",
            &MailedLink {
                purpose: link.purpose,
                email: link.email,
                date_created: at(link.created_at),
                expires: at(link.expires_at),
            },
        )?);
    }
    if let Some(feed) = calendar_feeds::find(pool, profile_id).await? {
        let date_created = at(feed.created_at);
        records.push(record("calendar_feeds", &CalendarFeed { date_created })?);
    }
    records.extend(calendar(context, profile_id).await?);
    Ok(ExportResponse {
        records,
        next: Some(FIRST_ENTRIES.to_owned()),
    })
}

/// The grant, and pending authorisations. Tokens are omitted, because they are secrets between the site and Google.
async fn calendar(context: &Context, profile_id: i64) -> Result<Vec<Record>, Error> {
    let pool = &context.pool;
    let mut records = Vec::new();
    if let Some(grant) = calendar_grants::find(pool, profile_id).await? {
        records.push(record(
            "calendar_grants",
            &CalendarGrant {
                date_created: at(grant.created_at),
                last_checked: at(grant.checked_at),
            },
        )?);
    }
    let begun = calendar_authorizations::of_profile(pool, profile_id).await?;
    let intents = calendar_authorizations::intents_of_profile(pool, profile_id).await?;
    let begun = begun.iter().map(|one| ("calendar_authorizations", one));
    let intents = intents.iter().map(|one| ("calendar_intents", one));
    for (kind, one) in begun.chain(intents) {
        records.push(record(
            kind,
            &CalendarAuthorization {
                object_id: one.event_id,
                date_created: at(one.created_at),
            },
        )?);
    }
    Ok(records)
}

/// A page of the calendar events.
async fn entries(context: &Context, profile_id: i64, after: i64) -> Result<ExportResponse, Error> {
    let pool = &context.pool;
    let found = calendar_entries::of_profile(pool, profile_id, after, EXPORT_ROWS).await?;
    let page = export_page(
        found,
        |last| format!("{CALENDAR}{}", last.bookmark_id),
        |entry| {
            let exported = CalendarEntry {
                bookmark_id: entry.bookmark_id,
                object_id: entry.event_id,
                google_event_id: entry.google_id,
                date_written: entry.written_at.map(at),
                date_removed: entry.unwanted_at.map(at),
            };
            record("calendar_entries", &exported)
        },
    )?;
    Ok(page)
}

fn at(instant: DateTime<Utc>) -> String {
    instant::to_rfc3339(instant)
}
