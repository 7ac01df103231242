//! The table `sessions`, indexed by the digest of the secret.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{CAP, IDLE, MAX_SESSIONS, OpenSession, Proofs, SessionToken};

/// Starts a session. Returns the sessions that end because the account exceeds [`MAX_SESSIONS`]: those idle the
/// longest.
#[sql("sessions.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    token: &SessionToken,
    profile_id: i64,
    device: &str,
    now: DateTime<Utc>,
) -> Result<Vec<SessionToken>, sqlx::Error> {
    let evicted = sqlx::query_scalar!(
        "DELETE FROM sessions WHERE token_digest IN (
             SELECT token_digest FROM sessions WHERE profile_id = $1
             ORDER BY last_active_at DESC, id DESC OFFSET $2)
         RETURNING token_digest",
        profile_id,
        MAX_SESSIONS - 1,
    )
    .fetch_all(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO sessions (token_digest, profile_id, device, created_at, last_active_at)
         VALUES ($1, $2, $3, $4, $4)",
        token.digest(),
        profile_id,
        device,
        now,
    )
    .execute(connection)
    .await?;
    Ok(evicted.into_iter().map(SessionToken::from_digest).collect())
}

pub(crate) struct Live {
    pub(crate) profile_id: i64,
    /// When the account was created.
    pub(crate) account_created_at: DateTime<Utc>,
    pub(crate) last_active_at: DateTime<Utc>,
}

/// The session with this token, if it is live.
#[sql("sessions.live")]
pub(crate) async fn live(
    pool: &PgPool,
    token: &SessionToken,
    now: DateTime<Utc>,
) -> Result<Option<Live>, sqlx::Error> {
    sqlx::query_as!(
        Live,
        "SELECT s.profile_id, s.last_active_at, p.created_at AS account_created_at
         FROM sessions s JOIN profiles p ON p.id = s.profile_id
         WHERE s.token_digest = $1 AND s.last_active_at > $2 AND s.created_at > $3",
        token.digest(),
        now - IDLE,
        now - CAP,
    )
    .fetch_optional(pool)
    .await
}

#[sql("sessions.touch")]
pub(crate) async fn touch(
    pool: &PgPool,
    token: &SessionToken,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET last_active_at = $2 WHERE token_digest = $1 AND last_active_at < $2",
        token.digest(),
        now,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The account of a session, live or not.
#[sql("sessions.reader")]
pub(crate) async fn reader(
    connection: &mut PgConnection,
    token: &SessionToken,
) -> Result<Option<i64>, sqlx::Error> {
    let digest = token.digest();
    sqlx::query_scalar!(
        "SELECT profile_id FROM sessions WHERE token_digest = $1",
        digest
    )
    .fetch_optional(connection)
    .await
}

/// Ends a session. Returns whether it existed.
#[sql("sessions.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    token: &SessionToken,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM sessions WHERE token_digest = $1",
        token.digest()
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The live sessions of an account, the most recently active first.
#[sql("sessions.of_profile")]
pub(crate) async fn of_profile(
    pool: &PgPool,
    profile_id: i64,
    now: DateTime<Utc>,
) -> Result<Vec<OpenSession>, sqlx::Error> {
    sqlx::query_as!(
        OpenSession,
        "SELECT id, token_digest, device, created_at, last_active_at FROM sessions
         WHERE profile_id = $1 AND last_active_at > $2 AND created_at > $3
         ORDER BY last_active_at DESC, id DESC LIMIT $4",
        profile_id,
        now - IDLE,
        now - CAP,
        MAX_SESSIONS,
    )
    .fetch_all(pool)
    .await
}

/// All stored sessions of an account, including expired ones, which are deleted within an hour.
#[sql("sessions.stored")]
pub(crate) async fn stored(
    pool: &PgPool,
    profile_id: i64,
) -> Result<Vec<OpenSession>, sqlx::Error> {
    sqlx::query_as!(
        OpenSession,
        "SELECT id, token_digest, device, created_at, last_active_at FROM sessions
         WHERE profile_id = $1 ORDER BY id",
        profile_id,
    )
    .fetch_all(pool)
    .await
}

/// Ends a session of an account by its id; `None` if the account has no such session.
#[sql("sessions.end")]
pub(crate) async fn end(
    connection: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<Option<SessionToken>, sqlx::Error> {
    let digest = sqlx::query_scalar!(
        "DELETE FROM sessions WHERE id = $1 AND profile_id = $2 RETURNING token_digest",
        id,
        profile_id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(digest.map(SessionToken::from_digest))
}

/// Ends all sessions of an account except `but`; returns the ended sessions.
#[sql("sessions.end_all")]
pub(crate) async fn end_all(
    connection: &mut PgConnection,
    profile_id: i64,
    but: Option<&SessionToken>,
) -> Result<Vec<SessionToken>, sqlx::Error> {
    let digests = sqlx::query_scalar!(
        "DELETE FROM sessions WHERE profile_id = $1 AND ($2::bytea IS NULL OR token_digest <> $2)
         RETURNING token_digest",
        profile_id,
        but.map(SessionToken::digest),
    )
    .fetch_all(connection)
    .await?;
    Ok(digests.into_iter().map(SessionToken::from_digest).collect())
}

/// Records that the reader has logged in with Facebook in a session.
#[sql("sessions.prove_by_facebook")]
pub(crate) async fn prove_by_facebook(
    connection: &mut PgConnection,
    session: &SessionToken,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET facebook_login_at = $2 WHERE token_digest = $1",
        session.digest(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// When the reader proved their identity in a session of the account; `None` if it is not a session of the account.
#[sql("sessions.proofs")]
pub(crate) async fn proofs(
    connection: &mut PgConnection,
    profile_id: i64,
    session: &SessionToken,
) -> Result<Option<Proofs>, sqlx::Error> {
    sqlx::query_as!(
        Proofs,
        "SELECT created_at AS signed_in_at, facebook_login_at FROM sessions
         WHERE token_digest = $1 AND profile_id = $2",
        session.digest(),
        profile_id,
    )
    .fetch_optional(connection)
    .await
}

/// Deletes expired sessions; returns how many.
#[sql("sessions.delete_ended")]
pub(crate) async fn delete_ended(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM sessions WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM sessions WHERE last_active_at <= $1 OR created_at <= $2 LIMIT $3))",
            now - IDLE,
            now - CAP,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}
