//! The fresh proof of a reader's identity that changes of sign-in methods require: a stolen session alone must not
//! become lasting access.

use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{PROOF, SessionToken},
    error::Error,
    store::sessions,
};

/// Fails with [`Error::NoFreshProof`] unless the reader has proved their identity in this session within [`PROOF`].
pub(crate) async fn require_proof(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    session: &SessionToken,
) -> Result<(), Error> {
    let since = context.clock.now() - PROOF;
    let is_proven = sessions::is_proven(connection, profile_id, session, since).await?;
    is_proven.then_some(()).ok_or(Error::NoFreshProof)
}
