//! Signs in with a passkey.

use super::{Proof, prove, use_up};
use crate::{
    context::Context,
    domain::{Account, Act, Answer},
    error::Error,
    usecases::{
        Started,
        audit::{record, record_failure},
        start_session,
    },
};

/// Starts a session for the owner of a passkey; also returns the account's address.
pub(crate) async fn sign_in(
    context: &Context,
    answer: &Answer,
    device: &str,
) -> Result<(Started, String), Error> {
    let proof: Proof = prove(context, answer).await?;
    if proof.owner.disabled_at.is_some() {
        record_failure(context, Some(proof.owner.profile_id), Act::SignInFailed).await?;
        return Err(Error::Disabled);
    }
    let account = Account {
        profile_id: proof.owner.profile_id,
        created_at: proof.owner.account_created_at,
    };
    let mut transaction = context.pool.begin().await?;
    use_up(&mut transaction, &proof, context.clock.now()).await?;
    let started = start_session(context, &mut transaction, account, device).await?;
    record(context, &mut transaction, account.profile_id, Act::SignedIn).await?;
    let started = started.commit(context, transaction).await?;
    Ok((started, proof.owner.email))
}
