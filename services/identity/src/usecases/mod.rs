//! Use cases, one file each; each owns its transaction.

pub(crate) mod authenticate;
pub(crate) mod read_profile;
pub(crate) mod register;
pub(crate) mod sign_in;
pub(crate) mod sign_out;

use chassis::entropy::secret_token;
use sqlx::PgConnection;

use crate::{context::Context, domain::SessionToken, error::Error, store::sessions};

/// The longest device name that is kept, in characters.
const MAX_DEVICE: usize = 200;

/// A session that has just begun.
pub(crate) struct Started {
    pub(crate) profile_id: i64,
    /// The cookie's value.
    pub(crate) secret: String,
}

/// Starts a session under a new secret: signing in always rotates it.
async fn start_session(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
    device: &str,
) -> Result<Started, Error> {
    let secret = secret_token(context.entropy.as_ref());
    let device: String = device
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_DEVICE)
        .collect();
    let (token, now) = (SessionToken::new(&secret), context.clock.now());
    sessions::insert(connection, &token, profile_id, &device, now).await?;
    Ok(Started { profile_id, secret })
}
