//! All that is stored of a reader here, for the reader.

use chassis::{
    instant,
    readers::{Asked, record},
};
use chrono::{DateTime, Utc};
use cityguide_proto::readers::v1::ExportResponse;
use serde::Serialize;

use super::audit::{self, FIRST_ENTRIES, export_entries};
use crate::{
    context::Context,
    domain::{Act, Credential},
    error::Error,
    store::{calendar_feeds, mailed_links, passkeys, profiles, sessions},
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
struct CalendarFeed {
    date_created: String,
}

#[derive(Serialize)]
struct MailedLink {
    purpose: String,
    email: String,
    date_created: String,
    expires: String,
}

/// The account, its sessions and passkeys, the links that were mailed for it, and its calendar feed. This service's copy
/// of the last updates is not among it: the services that own them tell them. The audit log, in which the first page is
/// recorded, follows on pages of its own.
pub(crate) async fn export(context: &Context, asked: &Asked) -> Result<ExportResponse, Error> {
    let profile_id = asked.profile_id;
    if !asked.after.is_empty() {
        return export_entries(context, profile_id, asked.after_id()?).await;
    }
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
    Ok(ExportResponse {
        records,
        next: Some(FIRST_ENTRIES.to_owned()),
    })
}

fn at(instant: DateTime<Utc>) -> String {
    instant::to_rfc3339(instant)
}
