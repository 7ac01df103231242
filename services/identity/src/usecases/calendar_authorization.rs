//! Authorisation of the site by a reader to write to their calendar: begin, complete once, save the intended event.

use std::time::Duration;

use bookmarks_proto::v1::CreateBookmarkRequest;
use chassis::{
    call::{Call, Caller},
    entropy::secret_token,
    error::{Code, Fault},
};
use vocabulary::saved::Kind;

use super::{
    audit::record,
    calendar_grant::{google, seal},
    post,
};
use crate::{
    context::Context,
    domain::{
        Act, MAX_WRITTEN_AGAIN, Outcome, SaveJob, SessionToken, SyncJob, Tokens, state_digest,
    },
    error::Error,
    google::GoogleError,
    owners::Owners,
    store::{
        calendar_authorizations::{self, Authorization, NewAuthorization},
        calendar_entries, calendar_grants, profiles,
    },
};

/// The timeout for saving the event.
const SAVING: Duration = Duration::from_secs(5);
/// The delay after which a job checks whether the event has been saved.
const SAVED_BY: Duration = Duration::from_secs(10);

/// An authorisation begun in a session.
struct Begun<'a> {
    profile_id: i64,
    state_digest: &'a [u8],
    session: &'a SessionToken,
}

/// Begins an authorisation; returns the address of the consent page.
pub(crate) async fn begin_authorization(
    context: &Context,
    profile_id: i64,
    session: &SessionToken,
    next: &str,
) -> Result<String, Error> {
    let google = google(context)?;
    let entropy = context.entropy.as_ref();
    let (state, verifier) = (secret_token(entropy), secret_token(entropy));
    let digest = state_digest(&state);
    let sealed = context
        .sealer
        .seal(entropy, &verifier_place(profile_id), &verifier)?;
    let mut transaction = context.pool.begin().await?;
    // The lock waits for a concurrent erasure, and serialises the reader's calls so that the limit on pending
    // authorisations is enforced.
    let held = profiles::lock(&mut transaction, profile_id).await?;
    held.ok_or(Error::NoSession)?;
    let new = NewAuthorization {
        profile_id,
        state_digest: &digest,
        session,
        verifier: &sealed,
        next,
    };
    calendar_authorizations::insert(&mut transaction, &new, context.clock.now()).await?;
    transaction.commit().await?;
    Ok(google.consent_page(&state, &verifier))
}

/// Completes an authorisation of the session, once; returns the page to redirect the reader to. An authorisation that
/// has expired or was already completed changes nothing.
pub(crate) async fn complete_authorization(
    context: &Context,
    owners: &Owners,
    profile_id: i64,
    session: &SessionToken,
    state: &str,
    outcome: Outcome,
) -> Result<String, Error> {
    google(context)?;
    let digest = state_digest(state);
    let (pool, now) = (&context.pool, context.clock.now());
    let begun = Begun {
        profile_id,
        state_digest: &digest,
        session,
    };
    let taken = calendar_authorizations::take(pool, profile_id, &digest, session, now).await?;
    let Some(authorization) = taken else {
        let next = calendar_authorizations::next(pool, profile_id, &digest, session).await?;
        return Ok(next.ok_or_else(Fault::not_found)?);
    };
    match outcome {
        Outcome::Consent(code) => accept(context, owners, &begun, &authorization, &code).await?,
        Outcome::Denial => deny(context, &begun).await?,
        Outcome::Failure => {
            tracing::warn!("Google could not ask for a reader's consent");
            calendar_authorizations::forget_event(pool, profile_id, &digest).await?;
        }
    }
    Ok(authorization.next)
}

/// The reader consented: exchanges the code for tokens. If Google does not respond, the reader can return with the same
/// code.
async fn accept(
    context: &Context,
    owners: &Owners,
    begun: &Begun<'_>,
    authorization: &Authorization,
    code: &str,
) -> Result<(), Error> {
    let (profile_id, digest) = (begun.profile_id, begun.state_digest);
    let place = verifier_place(profile_id);
    let verifier = context.sealer.open(&place, &authorization.verifier);
    let Some(verifier) = verifier else {
        let message = "the key that a verifier was encrypted with has been removed";
        return Err(Fault::new(Code::Internal, message).into());
    };
    let google = google(context)?.in_a_call();
    match google.exchange(code, &verifier, context.clock.now()).await {
        Ok(tokens) => connect(context, begun, authorization.event_id, &tokens).await?,
        Err(GoogleError::Refused) => return deny(context, begun).await,
        Err(error) => {
            tracing::warn!(%error, "connecting a calendar failed");
            calendar_authorizations::give_back(&context.pool, profile_id, digest).await?;
            return Ok(());
        }
    }
    if authorization.event_id.is_some()
        && let Err(error) = save_event(context, owners, profile_id, digest).await
    {
        tracing::warn!(%error, "saving a calendar event failed; a job saves it later");
    }
    Ok(())
}

/// Stores the grant and the choice. Queues the saving of the intended event, and the writing of the events most
/// recently saved with the calendar.
async fn connect(
    context: &Context,
    begun: &Begun<'_>,
    event_id: Option<i64>,
    tokens: &Tokens,
) -> Result<(), Error> {
    let profile_id = begun.profile_id;
    let grant = seal(context, profile_id, tokens, context.clock.now())?;
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let mut profile = profile.ok_or(Error::NoSession)?;
    profile.calendar_sync = Some(true);
    profiles::change(&mut transaction, &profile).await?;
    calendar_grants::put(&mut transaction, &grant).await?;
    record(
        context,
        &mut transaction,
        profile_id,
        Act::CalendarConnected,
    )
    .await?;
    let notice = context.site.calendar_connected(&profile.email);
    post(context, &mut transaction, notice).await?;
    calendar_authorizations::forget_intent(&mut transaction, profile_id, begun.session).await?;
    if event_id.is_some() {
        let job = SaveJob::new(profile_id, begun.state_digest);
        let queue = &context.jobs;
        queue
            .append_for_later(&mut transaction, &job, SAVED_BY)
            .await?;
    }
    let most = MAX_WRITTEN_AGAIN;
    let bookmarks = calendar_entries::restart(&mut transaction, profile_id, most).await?;
    for bookmark_id in bookmarks {
        let job = SyncJob {
            profile_id,
            bookmark_id,
        };
        context.jobs.append(&mut transaction, &job).await?;
    }
    context.jobs.commit(transaction).await?;
    Ok(())
}

/// The reader refused: resets the calendar choice and saves nothing.
async fn deny(context: &Context, begun: &Begun<'_>) -> Result<(), Error> {
    let profile_id = begun.profile_id;
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let mut profile = profile.ok_or(Error::NoSession)?;
    profile.calendar_sync = None;
    profiles::change(&mut transaction, &profile).await?;
    calendar_authorizations::forget_intent(&mut transaction, profile_id, begun.session).await?;
    calendar_authorizations::forget_event(&mut *transaction, profile_id, begun.state_digest)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Saves the event of a granted authorisation, unless it was already saved. An event that no longer exists is not
/// saved.
pub(crate) async fn save_event(
    context: &Context,
    owners: &Owners,
    profile_id: i64,
    digest: &[u8],
) -> Result<(), Error> {
    let pool = &context.pool;
    let Some(event) = calendar_authorizations::event(pool, profile_id, digest).await? else {
        return Ok(());
    };
    let call = Call::new(Caller::Reader(profile_id), SAVING);
    let request = call.request(CreateBookmarkRequest {
        kind: Kind::EventBookmarks.name().to_owned(),
        target_id: event,
        add_to_calendar: true,
    });
    let created = owners.bookmark(request).await;
    if let Err(fault) = created
        && fault.code != Code::Invalid
    {
        return Err(fault.into());
    }
    calendar_authorizations::forget_event(pool, profile_id, digest).await?;
    Ok(())
}

// The encryption context of a verifier.
fn verifier_place(profile_id: i64) -> String {
    format!("verifier {profile_id}")
}
