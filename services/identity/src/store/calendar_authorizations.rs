//! The tables `calendar_authorizations` and `calendar_intents`.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::domain::{AUTHORIZATION_KEPT, LIFETIME, MAX_BEGUN, SessionToken};

/// Stores the event that a session intends to save, replacing the session's earlier event, if the reader's account
/// exists.
#[sql("calendar_intents.put")]
pub(crate) async fn intend(
    pool: &PgPool,
    profile_id: i64,
    session: &SessionToken,
    event_id: i64,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO calendar_intents (profile_id, session_digest, event_id, expires_at)
         SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT FROM profiles WHERE id = $1)
         ON CONFLICT (profile_id, session_digest) DO UPDATE SET event_id = $3, expires_at = $4",
        profile_id,
        session.digest(),
        event_id,
        now + LIFETIME,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes the event that a session intends to save.
#[sql("calendar_intents.delete")]
pub(crate) async fn forget_intent(
    connection: &mut PgConnection,
    profile_id: i64,
    session: &SessionToken,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM calendar_intents WHERE profile_id = $1 AND session_digest = $2",
        profile_id,
        session.digest(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A new authorisation.
pub(crate) struct NewAuthorization<'a> {
    pub(crate) profile_id: i64,
    pub(crate) state_digest: &'a [u8],
    pub(crate) session: &'a SessionToken,
    /// The encrypted PKCE verifier.
    pub(crate) verifier: &'a [u8],
    pub(crate) next: &'a str,
}

/// Stores an authorisation with the event that its session intends to save. It replaces the reader's oldest
/// authorisations beyond the limit, unless their event is still to be saved.
#[sql("calendar_authorizations.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    new: &NewAuthorization<'_>,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM calendar_authorizations WHERE profile_id = $1 AND state_digest IN (
             SELECT state_digest FROM calendar_authorizations
             WHERE profile_id = $1 AND (completed_at IS NULL OR event_id IS NULL)
             ORDER BY created_at DESC OFFSET $2)",
        new.profile_id,
        MAX_BEGUN - 1,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO calendar_authorizations
             (profile_id, state_digest, session_digest, verifier, next, created_at, event_id)
         VALUES ($1, $2, $3, $4, $5, $6, (
             SELECT event_id FROM calendar_intents
             WHERE profile_id = $1 AND session_digest = $3 AND expires_at > $6))",
        new.profile_id,
        new.state_digest,
        new.session.digest(),
        new.verifier,
        new.next,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) struct Authorization {
    pub(crate) verifier: Vec<u8>,
    pub(crate) event_id: Option<i64>,
    pub(crate) next: String,
}

/// Completes a session's authorisation. Of two concurrent calls, only one succeeds.
#[sql("calendar_authorizations.take")]
pub(crate) async fn take(
    pool: &PgPool,
    profile_id: i64,
    state_digest: &[u8],
    session: &SessionToken,
    now: DateTime<Utc>,
) -> Result<Option<Authorization>, sqlx::Error> {
    sqlx::query_as!(
        Authorization,
        "UPDATE calendar_authorizations SET completed_at = $4
         WHERE profile_id = $1 AND state_digest = $2 AND session_digest = $3 AND completed_at IS NULL
             AND created_at > $5
         RETURNING verifier, event_id, next",
        profile_id,
        state_digest,
        session.digest(),
        now,
        now - LIFETIME,
    )
    .fetch_optional(pool)
    .await
}

/// Allows an authorisation to be completed again.
#[sql("calendar_authorizations.give_back")]
pub(crate) async fn give_back(
    pool: &PgPool,
    profile_id: i64,
    state_digest: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendar_authorizations SET completed_at = NULL WHERE profile_id = $1 AND state_digest = $2",
        profile_id,
        state_digest,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The page to which a session's authorisation returns, whether or not the authorisation has ended.
#[sql("calendar_authorizations.next")]
pub(crate) async fn next(
    pool: &PgPool,
    profile_id: i64,
    state_digest: &[u8],
    session: &SessionToken,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT next FROM calendar_authorizations
         WHERE profile_id = $1 AND state_digest = $2 AND session_digest = $3",
        profile_id,
        state_digest,
        session.digest(),
    )
    .fetch_optional(pool)
    .await
}

/// The event still to be saved for a granted authorisation.
#[sql("calendar_authorizations.event")]
pub(crate) async fn event(
    pool: &PgPool,
    profile_id: i64,
    state_digest: &[u8],
) -> Result<Option<i64>, sqlx::Error> {
    let found = sqlx::query_scalar!(
        "SELECT event_id FROM calendar_authorizations
         WHERE profile_id = $1 AND state_digest = $2 AND completed_at IS NOT NULL",
        profile_id,
        state_digest,
    );
    Ok(found.fetch_optional(pool).await?.flatten())
}

/// Records that an authorisation's event does not need to be saved.
#[sql("calendar_authorizations.forget_event")]
pub(crate) async fn forget_event(
    database: impl PgExecutor<'_>,
    profile_id: i64,
    state_digest: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendar_authorizations SET event_id = NULL WHERE profile_id = $1 AND state_digest = $2",
        profile_id,
        state_digest,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// A stored authorisation or intent, for an export.
pub(crate) struct Stored {
    pub(crate) event_id: Option<i64>,
    pub(crate) created_at: DateTime<Utc>,
}

/// All authorisations of a reader.
#[sql("calendar_authorizations.of_profile")]
pub(crate) async fn of_profile(pool: &PgPool, profile_id: i64) -> Result<Vec<Stored>, sqlx::Error> {
    sqlx::query_as!(
        Stored,
        "SELECT event_id, created_at FROM calendar_authorizations WHERE profile_id = $1 ORDER BY created_at",
        profile_id,
    )
    .fetch_all(pool)
    .await
}

/// All intents of a reader.
#[sql("calendar_intents.of_profile")]
pub(crate) async fn intents_of_profile(
    pool: &PgPool,
    profile_id: i64,
) -> Result<Vec<Stored>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT event_id, expires_at FROM calendar_intents WHERE profile_id = $1 ORDER BY expires_at",
        profile_id,
    )
    .fetch_all(pool)
    .await?;
    let stored = rows.into_iter().map(|row| Stored {
        event_id: Some(row.event_id),
        created_at: row.expires_at - LIFETIME,
    });
    Ok(stored.collect())
}

/// Deletes a reader's authorisations and intents; returns how many of each.
#[sql("calendar_authorizations.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<(u64, u64), sqlx::Error> {
    let begun = sqlx::query!(
        "DELETE FROM calendar_authorizations WHERE profile_id = $1",
        profile_id
    );
    let begun = begun.execute(&mut *connection).await?.rows_affected();
    let intents = sqlx::query!(
        "DELETE FROM calendar_intents WHERE profile_id = $1",
        profile_id
    );
    let intents = intents.execute(connection).await?.rows_affected();
    Ok((begun, intents))
}

/// Deletes expired authorisations and intents; returns how many.
#[sql("calendar_authorizations.delete_old")]
pub(crate) async fn delete_old(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let begun = in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM calendar_authorizations WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM calendar_authorizations WHERE created_at <= $1 LIMIT $2))",
            now - AUTHORIZATION_KEPT,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await?;
    let intents = in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM calendar_intents WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM calendar_intents WHERE expires_at <= $1 LIMIT $2))",
            now,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await?;
    Ok(begun + intents)
}
