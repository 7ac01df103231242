//! The fresh proof of a reader's identity that changes of sign-in methods require: a stolen session alone must not
//! become lasting access.

use sqlx::PgConnection;

use crate::{context::Context, domain::SessionToken, error::Error, store::sessions};

/// Fails with [`Error::NoFreshProof`] unless the reader has proved their identity in this session recently, and with
/// [`Error::NoSession`] if the session has ended.
pub(crate) async fn require_proof(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    session: &SessionToken,
) -> Result<(), Error> {
    let now = context.clock.now();
    let proofs = sessions::proofs(connection, profile_id, session).await?;
    match proofs {
        Some(proofs) if proofs.is_fresh(now) => Ok(()),
        Some(_) => Err(Error::NoFreshProof),
        None => Err(Error::NoSession),
    }
}
