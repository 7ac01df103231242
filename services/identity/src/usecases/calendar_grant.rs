//! Grants of access to readers' calendars: show, use, end, and re-encrypt.

use chassis::error::{Code, Fault};
use chrono::{DateTime, Utc};

use super::audit::record;
use crate::domain::SessionToken;
use crate::{
    context::Context,
    domain::{Act, CHECKED_FOR, Grant, RevokeJob, TOKEN_MARGIN, Tokens},
    error::Error,
    google::{Google, GoogleError},
    store::{calendar_authorizations, calendar_grants, profiles},
};

/// The number of grants read at a time.
const BATCH: i64 = 100;

/// The required state of an access token.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Needed<'a> {
    /// A token that has not expired.
    Valid,
    /// A token that Google has just issued, which proves that the reader has not revoked the grant.
    Checked,
    /// A token other than this one, which Google has refused.
    OtherThan(&'a str),
}

/// The Google client; [`Code::NotFound`] if the site has no calendars.
pub(crate) fn google(context: &Context) -> Result<&Google, Fault> {
    context.google.as_ref().ok_or_else(Fault::not_found)
}

/// When the reader's calendar was connected.
pub(crate) async fn get_calendar(
    context: &Context,
    profile_id: i64,
) -> Result<Option<DateTime<Utc>>, Error> {
    google(context)?;
    let grant = calendar_grants::find(&context.pool, profile_id).await?;
    Ok(grant.map(|grant| grant.created_at))
}

/// Whether the reader's calendar is authorised. If not, the event is stored as the session's intended event. If Google
/// does not respond, the calendar counts as authorised: the event is written later.
pub(crate) async fn check_calendar(
    context: &Context,
    profile_id: i64,
    session: &SessionToken,
    event_id: i64,
) -> Result<bool, Error> {
    let google = google(context)?.in_a_call();
    match access_token(context, &google, profile_id, Needed::Checked).await {
        Ok(Some(_)) => Ok(true),
        Ok(None) => {
            let now = context.clock.now();
            calendar_authorizations::intend(&context.pool, profile_id, session, event_id, now)
                .await?;
            Ok(false)
        }
        Err(Error::Google(error)) => {
            tracing::warn!(%error, "checking whether a calendar is still authorised failed");
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

/// An access token for the reader's calendar; `None` if the calendar is not, or no longer, authorised.
pub(crate) async fn access_token(
    context: &Context,
    google: &Google,
    profile_id: i64,
    needed: Needed<'_>,
) -> Result<Option<String>, Error> {
    let Some(grant) = calendar_grants::find(&context.pool, profile_id).await? else {
        return Ok(None);
    };
    let Some(tokens) = open(context, &grant) else {
        tracing::warn!("the key that encrypted a calendar's tokens has been removed");
        calendar_grants::delete_revoked(&context.pool, &grant).await?;
        return Ok(None);
    };
    let now = context.clock.now();
    let is_good = match needed {
        Needed::Valid => true,
        Needed::Checked => now - grant.checked_at < CHECKED_FOR,
        Needed::OtherThan(refused) => tokens.access != refused,
    };
    if is_good && tokens.access_expires_at - TOKEN_MARGIN > now {
        return Ok(Some(tokens.access));
    }
    match google.refresh(&tokens.refresh, now).await {
        Ok(tokens) => {
            let renewed = Grant {
                created_at: grant.created_at,
                ..seal(context, profile_id, &tokens, now)?
            };
            calendar_grants::replace_tokens(&context.pool, &grant, &renewed).await?;
            Ok(Some(tokens.access))
        }
        Err(GoogleError::Refused) => {
            calendar_grants::delete_revoked(&context.pool, &grant).await?;
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends the connection to the reader's calendar, if there is one, and resets the calendar choice.
pub(crate) async fn disconnect_calendar(context: &Context, profile_id: i64) -> Result<(), Error> {
    google(context)?;
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let mut profile = profile.ok_or(Error::NoSession)?;
    if let Some(grant) = calendar_grants::delete(&mut transaction, profile_id).await? {
        context
            .jobs
            .append(&mut transaction, &RevokeJob::new(&grant))
            .await?;
        profile.calendar_sync = None;
        profiles::change(&mut transaction, &profile).await?;
        let act = Act::CalendarDisconnected;
        record(context, &mut transaction, profile_id, act).await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}

/// Revokes a grant at Google that is no longer needed.
pub(crate) async fn revoke(context: &Context, job: &RevokeJob) -> Result<(), Error> {
    let Some(google) = &context.google else {
        return Ok(());
    };
    let sealed = job.token();
    let token = sealed.and_then(|sealed| {
        let place = refresh_place(job.profile_id);
        context.sealer.open(&place, &sealed)
    });
    let Some(token) = token else {
        let message = "the key that a token was encrypted with has been removed";
        return Err(Fault::new(Code::Invalid, message).into());
    };
    Ok(google.revoke(&token).await?)
}

/// Re-encrypts, with the first key, tokens that are encrypted with another key; returns the number of grants.
pub(crate) async fn reseal(context: &Context) -> Result<u64, Fault> {
    let (pool, key_id) = (&context.pool, context.sealer.key_id());
    let (mut after, mut renewed) = (0, 0);
    loop {
        let grants = calendar_grants::under_other_keys(pool, key_id, after, BATCH).await?;
        let Some(last) = grants.last() else {
            return Ok(renewed);
        };
        after = last.profile_id;
        for grant in grants {
            // A grant whose key has been removed is detected when it is used.
            let Some(tokens) = open(context, &grant) else {
                continue;
            };
            let again = Grant {
                checked_at: grant.checked_at,
                created_at: grant.created_at,
                ..seal(context, grant.profile_id, &tokens, grant.checked_at)?
            };
            calendar_grants::replace_tokens(pool, &grant, &again).await?;
            renewed += 1;
        }
    }
}

/// Creates a grant with encrypted tokens.
pub(super) fn seal(
    context: &Context,
    profile_id: i64,
    tokens: &Tokens,
    now: DateTime<Utc>,
) -> Result<Grant, Fault> {
    let seal = |place: &str, token: &str| {
        let entropy = context.entropy.as_ref();
        context.sealer.seal(entropy, place, token)
    };
    Ok(Grant {
        profile_id,
        key_id: context.sealer.key_id().to_owned(),
        refresh_token: seal(&refresh_place(profile_id), &tokens.refresh)?,
        access_token: seal(&access_place(profile_id), &tokens.access)?,
        access_expires_at: tokens.access_expires_at,
        checked_at: now,
        created_at: now,
    })
}

fn open(context: &Context, grant: &Grant) -> Option<Tokens> {
    let sealer = &context.sealer;
    Some(Tokens {
        refresh: sealer.open(&refresh_place(grant.profile_id), &grant.refresh_token)?,
        access: sealer.open(&access_place(grant.profile_id), &grant.access_token)?,
        access_expires_at: grant.access_expires_at,
    })
}

// The encryption contexts of tokens: a token cannot be decrypted as another token or another reader's.
fn refresh_place(profile_id: i64) -> String {
    format!("refresh {profile_id}")
}

fn access_place(profile_id: i64) -> String {
    format!("access {profile_id}")
}
