//! Passkeys: create, use and remove.

pub(crate) mod add;
pub(crate) mod begin;
pub(crate) mod manage;
pub(crate) mod register;
pub(crate) mod sign_in;

use chassis::error::Fault;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Act, Answer, Claim, Credential, Made, RelyingParty, Used},
    error::Error,
    store::{
        passkeys::{self, Owned},
        profiles, used_ceremonies,
    },
    usecases::audit::record_failure,
};

impl Context {
    /// The Web Authentication relying party; [`Fault::not_found`] if the site's address does not support passkeys.
    fn relying_party(&self) -> Result<&RelyingParty, Error> {
        let party = self.relying_party.as_deref();
        Ok(party.ok_or_else(Fault::not_found)?)
    }
}

/// The proof that a passkey's owner has just used it.
pub(super) struct Proof {
    pub(super) owner: Owned,
    /// The updated passkey to store.
    credential: Credential,
    used: Used,
}

/// Verifies that a browser has used a passkey of an account.
pub(super) async fn prove(context: &Context, answer: &Answer) -> Result<Proof, Error> {
    let party = context.relying_party()?;
    let claim: Claim = party.claim(answer, context.clock.now())?;
    let owner = passkeys::find(&context.pool, claim.credential_id(), claim.user_handle).await?;
    let Some(owner) = owner else {
        record_failure(context, None, Act::SignInFailed).await?;
        return Err(Error::UnknownPasskey);
    };
    let credential = match party.verify(&claim, &owner.credential) {
        Ok(credential) => credential,
        Err(refusal) => {
            record_failure(context, Some(owner.profile_id), Act::SignInFailed).await?;
            return Err(refusal.into());
        }
    };
    Ok(Proof {
        owner,
        credential,
        used: claim.used,
    })
}

/// Uses a proof. It is valid once, and only while the account has the passkey and is enabled; the transaction locks
/// this state.
pub(super) async fn use_up(
    connection: &mut PgConnection,
    proof: &Proof,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    if !profiles::hold(connection, proof.owner.profile_id).await? {
        return Err(Error::UnknownPasskey);
    }
    if !used_ceremonies::use_up(connection, &proof.used).await? {
        return Err(Error::StaleCeremony);
    }
    let Proof {
        owner, credential, ..
    } = proof;
    if !passkeys::touch(connection, owner.id, credential, now).await? {
        return Err(Error::UnknownPasskey);
    }
    Ok(())
}

/// Stores a passkey that a browser has just created, once.
async fn keep(
    connection: &mut PgConnection,
    profile_id: i64,
    made: &Made,
    device: &str,
    now: DateTime<Utc>,
) -> Result<i64, Error> {
    if !used_ceremonies::use_up(connection, &made.used).await? {
        return Err(Error::StaleCeremony);
    }
    let id = passkeys::insert(connection, profile_id, &made.credential, device, now).await?;
    id.ok_or(Error::KnownPasskey)
}
