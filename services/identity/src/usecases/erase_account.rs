//! Erases a reader's account. The account is deleted immediately; a job erases its data in all services, in two passes,
//! and finishes with a signed receipt.

use std::time::Duration;

use chassis::{
    entropy::{self, secret_token},
    error::{Code, Fault},
    instant,
    mail::Mail,
    postgres::erased,
};
use cityguide_proto::readers::v1::{self as readers, EraseRequest};
use sqlx::{PgConnection, Postgres, Transaction};

use super::{
    access::end_access,
    audit::{record, record_failure},
    authenticate::CACHED,
    change_password::wrong_password,
    forget, forget_all,
    passkeys::{prove, use_up},
    post,
};
use crate::{
    context::Context,
    domain::{
        Act, Answer, EraseJob, Erasure, Fit, Kept, KeptEntries, LinkToken, Pass, PasswordReset,
        Profile, Purpose, RegisterErasure, SessionToken, Signer, Statement,
    },
    error::Error,
    owners::Owners,
    register::RegisteredErasure,
    store::{
        audit_entries, calendar_entries, erasures, last_updates, mailed_links, profiles, sessions,
    },
};

/// The reader's proof of identity.
pub(crate) enum OwnProof {
    /// The account's password.
    Password(String),
    /// The use of one of the account's passkeys.
    Passkey(Answer),
    /// The session, in which the reader has just logged in with Facebook.
    Session(SessionToken),
}

/// Deletes the reader's account and queues the erasure of the remaining data.
pub(crate) async fn erase_account(
    context: &Context,
    profile_id: i64,
    proof: &OwnProof,
) -> Result<(), Error> {
    let (mut transaction, profile) = match proof {
        OwnProof::Password(password) => hold_by_password(context, profile_id, password).await?,
        OwnProof::Passkey(answer) => hold_by_passkey(context, profile_id, answer).await?,
        OwnProof::Session(session) => hold_by_session(context, profile_id, session).await?,
    };
    let ended = erase_held(context, &mut transaction, profile).await?;
    context.jobs.commit(transaction).await?;
    forget(context, &ended).await;
    Ok(())
}

/// Deletes a locked account, with its sessions, sign-in methods, links, calendar and feed, and queues the erasure of
/// the remaining data; returns the ended sessions. Audit log entries remain under a pseudonym.
pub(super) async fn erase_held(
    context: &Context,
    connection: &mut PgConnection,
    profile: Profile,
) -> Result<Vec<SessionToken>, Error> {
    let profile_id = profile.id;
    let ended = end_access(context, connection, profile_id).await?;
    erased::refuse_writes(connection, profile_id, context.clock.now()).await?;
    let undo_links = mailed_links::revoke(connection, profile_id, Some(Purpose::UndoEmail)).await?;
    let entries = calendar_entries::delete(connection, profile_id).await?;
    record(context, connection, profile_id, Act::AccountErased).await?;
    let pseudonym = context.pseudonyms.make(profile_id);
    let kept_entries = audit_entries::pseudonymise(connection, profile_id, &pseudonym).await?;
    profiles::delete(connection, profile_id).await?;
    let erasure = Erasure {
        id: entropy::uuid(context.entropy.as_ref()),
        profile_id,
        requested_at: context.clock.now(),
        email: profile.email,
        pending_email: profile.pending_email,
        email_verified: profile.email_verified,
        sessions: digests(&ended.sessions),
    };
    let rows = [
        ("calendar_authorizations", ended.authorizations),
        ("calendar_entries", entries),
        ("calendar_feeds", ended.feeds),
        ("calendar_grants", u64::from(ended.grant)),
        ("calendar_intents", ended.intents),
        ("facebook_links", u64::from(ended.facebook)),
        ("mailed_links", ended.links + undo_links),
        ("passkeys", ended.passkeys),
        ("profile", 1),
        ("sessions", ended.sessions.len() as u64),
    ];
    for (kind, rows) in rows {
        erased::add(connection, erasure.id, kind, rows, erasure.requested_at).await?;
    }
    erasures::insert(connection, &erasure).await?;
    let job = EraseJob {
        erasure_id: erasure.id,
        pass: Pass::First,
        kept_entries,
    };
    context.jobs.append(connection, &job).await?;
    if context.register.is_some() {
        let entry = RegisterErasure {
            erasure_id: erasure.id,
            profile_id,
            requested_at: erasure.requested_at,
        };
        context.jobs.append(connection, &entry).await?;
    }
    Ok(ended.sessions)
}

/// Adds an erasure to the register, if there is one.
pub(crate) async fn register_erasure(
    context: &Context,
    entry: RegisterErasure,
) -> Result<(), Fault> {
    let Some(register) = &context.register else {
        return Ok(());
    };
    let RegisterErasure {
        erasure_id,
        profile_id,
        requested_at,
    } = entry;
    let erasure = RegisteredErasure {
        erasure_id,
        profile_id,
        requested_at,
    };
    register.record(&erasure).await
}

/// Erases an account again that a restored backup contains; does nothing if the account does not exist.
pub(crate) async fn repeat_erasure(context: &Context, profile_id: i64) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let Some(profile) = profiles::lock(&mut transaction, profile_id).await? else {
        return Ok(());
    };
    let ended = erase_held(context, &mut transaction, profile).await?;
    context.jobs.commit(transaction).await?;
    forget(context, &ended).await;
    Ok(())
}

fn digests(sessions: &[SessionToken]) -> Vec<Vec<u8>> {
    let digests = sessions.iter().map(|token| token.digest().to_vec());
    digests.collect()
}

/// Begins a transaction that locks the reader's account, if the password is correct.
async fn hold_by_password<'a>(
    context: &Context,
    profile_id: i64,
    password: &str,
) -> Result<(Transaction<'a, Postgres>, Profile), Error> {
    let checked = check_password(context, profile_id, password).await?;
    let mut transaction = context.pool.begin().await?;
    let held = profiles::lock_if(&mut transaction, profile_id, &checked).await?;
    // Another device has changed the password in the meantime.
    let profile = held.ok_or_else(|| Error::Invalid(vec![wrong_password()]))?;
    Ok((transaction, profile))
}

/// Begins a transaction that locks the reader's account, if the response proves the use of one of its passkeys.
async fn hold_by_passkey<'a>(
    context: &Context,
    profile_id: i64,
    answer: &Answer,
) -> Result<(Transaction<'a, Postgres>, Profile), Error> {
    // The site has no passkeys, so there is no proof.
    if context.relying_party.is_none() {
        return Err(Error::UnknownPasskey);
    }
    let proof = prove(context, answer).await?;
    if proof.owner.profile_id != profile_id {
        return Err(Error::UnknownPasskey);
    }
    let mut transaction = context.pool.begin().await?;
    let held = profiles::lock(&mut transaction, profile_id).await?;
    let profile = held.ok_or(Error::NoSession)?;
    use_up(&mut transaction, &proof, context.clock.now()).await?;
    Ok((transaction, profile))
}

/// Begins a transaction that locks the reader's account, if the reader has just logged in with Facebook in this
/// session.
async fn hold_by_session<'a>(
    context: &Context,
    profile_id: i64,
    session: &SessionToken,
) -> Result<(Transaction<'a, Postgres>, Profile), Error> {
    let mut transaction = context.pool.begin().await?;
    let held = profiles::lock(&mut transaction, profile_id).await?;
    let profile = held.ok_or(Error::NoSession)?;
    let now = context.clock.now();
    let proofs = sessions::proofs(&mut transaction, profile_id, session).await?;
    if !proofs.is_some_and(|proofs| proofs.is_fresh_by_facebook(now)) {
        return Err(Error::Invalid(vec![wrong_password()]));
    }
    Ok((transaction, profile))
}

/// Verifies the reader's password; returns its stored hash.
async fn check_password(
    context: &Context,
    profile_id: i64,
    password: &str,
) -> Result<String, Error> {
    let place = context.passwords.place()?;
    let stored = profiles::password_hash(&context.pool, profile_id).await?;
    let stored = stored.ok_or(Error::NoSession)?;
    let fits = context.passwords.fits(place, password, Some(&stored));
    if fits.await? == Fit::No {
        record_failure(context, Some(profile_id), Act::PasswordCheckFailed).await?;
        return Err(Error::Invalid(vec![wrong_password()]));
    }
    Ok(stored)
}

/// Runs one pass of an erasure; does nothing if the erasure is complete. `longest_request` is the maximum duration of a
/// reader's request.
pub(crate) async fn erase(
    context: &Context,
    owners: &Owners,
    job: &EraseJob,
    longest_request: Duration,
) -> Result<(), Error> {
    let Some(erasure) = erasures::find(&context.pool, job.erasure_id).await? else {
        return Ok(());
    };
    let sessions = erasure.sessions.iter().cloned();
    let sessions: Vec<_> = sessions.map(SessionToken::from_digest).collect();
    let is_told = forget_all(context, &sessions).await.is_ok();
    let until_last_request = until_last_request(is_told, longest_request);
    erase_here(context, &erasure).await?;
    let erased = owners.erase(&request(&erasure)).await?;
    match job.pass {
        Pass::First => {
            let last = EraseJob {
                erasure_id: erasure.id,
                pass: Pass::Last,
                kept_entries: job.kept_entries,
            };
            let mut transaction = context.pool.begin().await?;
            let queue = &context.jobs;
            queue
                .append_for_later(&mut transaction, &last, until_last_request)
                .await?;
            queue.commit(transaction).await?;
            Ok(())
        }
        Pass::Last => {
            let own = erased::counts(&context.pool, erasure.id).await?;
            let counts = own.into_iter().chain(erased.counts);
            let counts = counts.map(|one| (one.kind, one.count));
            let now = context.clock.now();
            let site = context.site.origin.as_str();
            let entries = KeptEntries {
                count: job.kept_entries,
                until: erasure.requested_at + context.audit_kept,
            };
            let kept: Vec<_> = erased
                .kept
                .into_iter()
                .map(kept_elsewhere)
                .collect::<Result<_, _>>()?;
            let statement = Statement::new(site, &erasure, counts, entries, now).keeping(kept);
            complete(context, &erasure, &statement).await
        }
    }
}

/// The time until all requests of the reader have certainly ended, with the temporary files of uploads. Unless the cache
/// was notified (`is_told`), it accepts ended sessions until their entries expire.
fn until_last_request(is_told: bool, longest_request: Duration) -> Duration {
    let kept = if is_told { Duration::ZERO } else { CACHED };
    kept + longest_request
}

/// Deletes the reader's remaining data in this service: the copy of the last updates, and queued mail.
async fn erase_here(context: &Context, erasure: &Erasure) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    last_updates::delete(&mut transaction, erasure.profile_id).await?;
    let (addresses, until) = (erasure.addresses(), erasure.requested_at);
    let queue = &context.jobs;
    queue
        .withdraw::<Mail>(&mut transaction, "to", &addresses, until)
        .await?;
    queue
        .withdraw::<PasswordReset>(&mut transaction, "email", &addresses, until)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Converts another service's statement of retained data. Fails if it has no end date.
fn kept_elsewhere(kept: readers::Kept) -> Result<Kept, Fault> {
    let until = kept.until.as_ref().and_then(instant::from_proto);
    let until = until.ok_or_else(|| {
        let message = format!("{} are kept without an end", kept.kind);
        Fault::new(Code::Internal, message)
    })?;
    let count = kept.count.unsigned_abs();
    Ok(Kept::new(kept.kind, count, kept.reason, until))
}

fn request(erasure: &Erasure) -> EraseRequest {
    let verified = erasure.email_verified.then(|| erasure.email.clone());
    EraseRequest {
        erasure_id: erasure.id.to_string(),
        profile_id: erasure.profile_id,
        verified_email: verified.unwrap_or_default(),
        requested: Some(instant::to_proto(erasure.requested_at)),
        email: erasure.email.clone(),
    }
}

/// Signs and mails the receipt, once.
async fn complete(
    context: &Context,
    erasure: &Erasure,
    statement: &Statement,
) -> Result<(), Error> {
    let signer: &Signer = &context.signer;
    let statement = serde_json::to_string(statement).map_err(|error| {
        let message = format!("a receipt cannot be written as JSON: {error}");
        Fault::new(Code::Internal, message)
    })?;
    let receipt = signer.sign(&statement)?;
    let secret = secret_token(context.entropy.as_ref());
    let (token, now) = (LinkToken::new(&secret), context.clock.now());
    let mut transaction = context.pool.begin().await?;
    let (id, key) = (signer.key_id(), signer.public_key());
    erasures::keep_key(&mut transaction, &id, &key, now).await?;
    if !erasures::complete(&mut transaction, erasure.id, &receipt, &token, now).await? {
        return Ok(());
    }
    let mail = context.site.receipt(&erasure.email, &secret);
    post(context, &mut transaction, mail).await?;
    context.jobs.commit(transaction).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_visit_waits_for_sessions_that_the_cache_may_still_keep() {
        let request = Duration::from_mins(10);
        assert_eq!(until_last_request(true, request), request);
        assert_eq!(until_last_request(false, request), CACHED + request);
    }
}
