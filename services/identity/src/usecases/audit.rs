//! The audit log: written by the recorded actions' use cases, read by operators and, in an export, by the reader.

use chassis::{
    actor::Actor,
    error::Fault,
    instant,
    readers::{EXPORT_ROWS, export_page, record as export_record},
};
use chrono::{DateTime, Utc};
use cityguide_proto::readers::v1::ExportResponse;
use serde::Serialize;
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Act, AuditCursor, AuditEntry},
    error::Error,
    store::audit_entries,
};

/// The kind of these records in exports and receipts.
const AUDIT_ENTRIES: &str = "audit_entries";

/// The cursor of the first page of entries in an export.
pub(crate) const FIRST_ENTRIES: &str = "0";

/// The number of entries on a page for operators.
const PAGE: i64 = 1_000;

/// Records an action on an account in the action's transaction, with the current call's actor.
pub(crate) async fn record(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    act: Act,
) -> Result<(), Error> {
    record_of(context, connection, profile_id, act, &Actor::current()).await
}

/// Records an action of a job, with the actor who requested the job.
pub(crate) async fn record_of(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    act: Act,
    actor: &Actor,
) -> Result<(), Error> {
    let now = context.clock.now();
    Ok(audit_entries::insert(connection, profile_id, act, actor, now).await?)
}

/// Counts a failed attempt on an account, or on an address without an account.
pub(crate) async fn record_failure(
    context: &Context,
    profile_id: Option<i64>,
    act: Act,
) -> Result<(), Error> {
    let (actor, now) = (Actor::current(), context.clock.now());
    Ok(audit_entries::count_failure(&context.pool, profile_id, act, &actor, now).await?)
}

/// A page of the log for operators, for all accounts or for one account, even an erased one.
pub(crate) async fn list_audit(
    context: &Context,
    profile_id: Option<i64>,
    since: Option<DateTime<Utc>>,
    after: Option<AuditCursor>,
) -> Result<Vec<AuditEntry>, Error> {
    let begin = || AuditCursor {
        last_at: since.unwrap_or(DateTime::UNIX_EPOCH),
        id: 0,
    };
    let Some(id) = profile_id else {
        let after = after.unwrap_or_else(begin);
        return Ok(audit_entries::since(&context.pool, after, PAGE).await?);
    };
    if after.is_none() {
        let mut connection = context.pool.acquire().await?;
        record(context, &mut connection, id, Act::AuditViewed).await?;
    }
    let pseudonyms = context.pseudonyms.all(id);
    let after = after.unwrap_or_else(begin);
    Ok(audit_entries::since_of_account(&context.pool, id, &pseudonyms, after, PAGE).await?)
}

/// The cursor of the next page, if there may be one.
pub(crate) fn next_page(entries: &[AuditEntry]) -> Option<AuditCursor> {
    let last = entries.last()?;
    (i64::try_from(entries.len()) == Ok(PAGE)).then_some(AuditCursor {
        last_at: last.last_at,
        id: last.id,
    })
}

#[derive(Serialize)]
struct Exported {
    act: String,
    network: Option<String>,
    /// Whether an operator of the site performed the action.
    by_operator: bool,
    times: i64,
    first: String,
    last: String,
}

/// A page of a reader's own entries, for an export.
pub(crate) async fn export_entries(
    context: &Context,
    profile_id: i64,
    after_id: i64,
) -> Result<ExportResponse, Error> {
    let rows = audit_entries::of_profile(&context.pool, profile_id, after_id, EXPORT_ROWS).await?;
    let page = export_page(rows, |entry| entry.id.to_string(), exported);
    Ok(page?)
}

fn exported(entry: AuditEntry) -> Result<cityguide_proto::readers::v1::Record, Fault> {
    export_record(
        AUDIT_ENTRIES,
        &Exported {
            act: entry.act,
            network: entry.network,
            by_operator: entry.operator.is_some(),
            times: entry.times,
            first: instant::to_rfc3339(entry.first_at),
            last: instant::to_rfc3339(entry.last_at),
        },
    )
}
