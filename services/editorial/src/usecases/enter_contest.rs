//! Enters a contest.

use chassis::{error::Fault, postgres::Attempt};
use chrono::{DateTime, TimeDelta, Utc};
use editorial_proto::v1::{EnterContestRequest, EnterContestResponse};
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Detail, Entry, Item, Kind},
    store::{entries, items},
};

/// The minimum interval between mails about an entry that is made again: anyone can request them.
const MAIL_AGAIN_AFTER: TimeDelta = TimeDelta::days(1);

/// Creates an entry: each address can enter a contest once. The response is the same if the address had already entered;
/// its owner is informed by mail. A repeated call returns the first response, even after the contest has closed.
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
    let (item, entry) = check(&mut transaction, &request, now).await?;
    let is_new = entries::insert(&mut transaction, item.id, &entry, now).await?;
    let since = now - MAIL_AGAIN_AFTER;
    if is_new || entries::mail_again(&mut transaction, item.id, &entry.email, since, now).await? {
        let path = item.path();
        if let Some(mail) = entry.confirmation(&context.site, (&item.name, &path), is_new) {
            context.jobs.append(&mut transaction, &mail).await?;
        }
    }
    let answer = EnterContestResponse {};
    attempt.answered(&mut transaction, &answer).await?;
    context.jobs.commit(transaction).await?;
    Ok(answer)
}

/// Validates an entry to a contest that exists and is open.
async fn check(
    connection: &mut PgConnection,
    request: &EnterContestRequest,
    now: DateTime<Utc>,
) -> Result<(Item, Entry), Fault> {
    let found = items::find(connection, Kind::Contest, request.contest_id).await?;
    let item = found.ok_or_else(Fault::not_found)?.item;
    let Detail::Contest(contest) = &item.detail else {
        return Err(Fault::not_found());
    };
    Entry::check_time(contest, now).map_err(Fault::invalid)?;
    let entry = Entry::parse(
        contest,
        &request.full_name,
        &request.email,
        &request.answer,
        request.accepts_rules,
    );
    Ok((item, entry.map_err(Fault::invalid)?))
}
