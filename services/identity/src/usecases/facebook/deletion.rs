//! Deletes data from Facebook when Facebook requests it on behalf of its user.

use chassis::{digest, error::Fault};
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::facebook;
use crate::{
    context::Context,
    domain::{Act, DeletionOutcome, DeletionRequest, Profile, SessionToken},
    error::Error,
    store::{facebook_links, profiles},
    usecases::{audit::record, erase_account::erase_held, forget, has_own_way_in},
};

/// The length of a confirmation code, in bytes.
const CODE: usize = 16;

/// Deletes the data that came from Facebook about a person; returns a code for [`get_deletion`]. The connection is
/// deleted; an account without another sign-in method is erased, with a receipt, as if its reader had requested it. A
/// connection made after the request remains.
pub(crate) async fn delete_data(context: &Context, signed_request: &str) -> Result<String, Error> {
    let facebook = facebook(context)?;
    let request = DeletionRequest::parse(signed_request, facebook.app_secret());
    let request = request.ok_or_else(not_facebooks)?;
    let mut bytes = [0; CODE];
    context.entropy.fill(&mut bytes);
    let code = digest::text(&bytes);
    let mut transaction = context.pool.begin().await?;
    let connected = connected(&mut transaction, &request).await?;
    let (outcome, ended) = match connected {
        None => (DeletionOutcome::NothingStored, Vec::new()),
        Some(profile) => end(context, &mut transaction, profile).await?,
    };
    let now = context.clock.now();
    facebook_links::insert_deletion(&mut transaction, &digest_of(&code), outcome, now).await?;
    context.jobs.commit(transaction).await?;
    forget(context, &ended).await;
    Ok(code)
}

/// Returns the account that was connected to the person before the request, and locks it until the transaction ends.
async fn connected(
    connection: &mut PgConnection,
    request: &DeletionRequest,
) -> Result<Option<Profile>, Error> {
    let Some(owner) = facebook_links::owner(&mut *connection, &request.person).await? else {
        return Ok(None);
    };
    let Some(profile) = profiles::lock(connection, owner.profile_id).await? else {
        return Ok(None);
    };
    let connected = facebook_links::of_profile(connection, profile.id).await?;
    let stands = connected.is_some_and(|one| {
        one.facebook_id == request.person.as_str()
            && one.created_at.timestamp() <= request.issued_at.timestamp()
    });
    Ok(stands.then_some(profile))
}

/// Disconnects the account from Facebook, or erases it if its owner has no other way to log in. Returns the outcome and
/// the ended sessions.
async fn end(
    context: &Context,
    connection: &mut PgConnection,
    profile: Profile,
) -> Result<(DeletionOutcome, Vec<SessionToken>), Error> {
    if !has_own_way_in(connection, &profile).await? {
        let ended = erase_held(context, connection, profile).await?;
        return Ok((DeletionOutcome::AccountErased, ended));
    }
    facebook_links::delete(connection, profile.id).await?;
    record(context, connection, profile.id, Act::FacebookDisconnected).await?;
    Ok((DeletionOutcome::Disconnected, Vec::new()))
}

/// The outcome of a deletion request, and when the request was made.
pub(crate) async fn get_deletion(
    context: &Context,
    code: &str,
) -> Result<(String, DateTime<Utc>), Error> {
    let (digest, now) = (digest_of(code), context.clock.now());
    let found = facebook_links::deletion(&context.pool, &digest, now).await?;
    Ok(found.ok_or_else(Fault::not_found)?)
}

fn digest_of(code: &str) -> Vec<u8> {
    Sha256::digest(code).to_vec()
}

fn not_facebooks() -> Fault {
    Fault::invalid_field("signed_request", "Facebook has not signed this.")
}
