//! Enters a contest.

use chassis::{
    error::{Code, Fault},
    instant,
    postgres::Attempt,
};
use chrono::{DateTime, Utc};
use editorial_proto::v1::{EnterContestRequest, EnterContestResponse};
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Detail, Entry, Kind},
    store::{entries, items},
};

/// Creates an entry, or returns the existing entry of its address: each address can enter a contest once. A repeated
/// call returns the first response, even after the contest has closed.
pub(crate) async fn enter_contest(
    context: &Context,
    mut request: EnterContestRequest,
) -> Result<EnterContestResponse, Fault> {
    let name = std::mem::take(&mut request.attempt);
    let attempt = Attempt::new(Some(&name), &request);
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    if let Some(answer) = attempt.begin(&mut transaction, now).await? {
        return Ok(answer);
    }
    let entry = check(&mut transaction, &request, now).await?;
    let made = entries::insert(&mut transaction, request.contest_id, &entry, now).await?;
    let is_new = made.is_some();
    let entered = if is_new {
        made
    } else {
        entries::find(&mut transaction, request.contest_id, &entry.email).await?
    };
    // Entries are deleted only long after their contest has closed.
    let gone = || Fault::new(Code::Conflict, "The entry changes too quickly; try again.");
    let entered = entered.ok_or_else(gone)?;
    let answer = EnterContestResponse {
        id: entered.id,
        entered_at: Some(instant::to_proto(entered.at)),
        is_new,
    };
    attempt.answered(&mut transaction, &answer).await?;
    transaction.commit().await?;
    Ok(answer)
}

/// Validates an entry to a contest that exists and is open.
async fn check(
    connection: &mut PgConnection,
    request: &EnterContestRequest,
    now: DateTime<Utc>,
) -> Result<Entry, Fault> {
    let found = items::find(connection, Kind::Contest, request.contest_id).await?;
    let Some(Detail::Contest(contest)) = found.map(|found| found.item.detail) else {
        return Err(Fault::not_found());
    };
    Entry::check_time(&contest, now).map_err(Fault::invalid)?;
    Entry::parse(
        &contest,
        &request.full_name,
        &request.email,
        &request.answer,
        request.accepts_rules,
    )
    .map_err(Fault::invalid)
}
