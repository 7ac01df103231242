//! Begins a ceremony.

use chassis::entropy;
use uuid::Uuid;

use crate::{
    context::Context,
    domain::{Begun, Newcomer, User},
    error::Error,
    store::{passkeys, profiles},
};

/// Begins a sign-in, or a proof of the reader's identity.
pub(crate) fn begin_sign_in(context: &Context, browser: &str) -> Result<Begun, Error> {
    let party = context.relying_party()?;
    Ok(party.begin_sign_in(browser, context.clock.now())?)
}

/// Begins the creation of the first passkey of a new account.
pub(crate) fn begin_for_guest(
    context: &Context,
    newcomer: &Newcomer,
    browser: &str,
) -> Result<Begun, Error> {
    let user = User {
        handle: new_handle(context),
        email: newcomer.email.as_str(),
        full_name: &newcomer.full_name,
        profile_id: None,
    };
    let party = context.relying_party()?;
    Ok(party.begin_registration(&user, [], browser, context.clock.now())?)
}

/// Begins the creation of another passkey for the reader.
pub(crate) async fn begin_for_reader(
    context: &Context,
    profile_id: i64,
    browser: &str,
) -> Result<Begun, Error> {
    let party = context.relying_party()?;
    let profile = profiles::find(&context.pool, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    let handle = profiles::user_handle(&context.pool, profile_id).await?;
    let user = User {
        handle: handle.unwrap_or_else(|| new_handle(context)),
        email: &profile.email,
        full_name: &profile.full_name,
        profile_id: Some(profile_id),
    };
    let known = passkeys::of_profile(&context.pool, profile_id).await?;
    let known = known
        .iter()
        .map(|one| AsRef::<[u8]>::as_ref(one.credential.cred_id()).to_vec());
    Ok(party.begin_registration(&user, known, browser, context.clock.now())?)
}

fn new_handle(context: &Context) -> Uuid {
    entropy::uuid(context.entropy.as_ref())
}
