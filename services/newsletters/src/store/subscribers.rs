//! `subscribers`: readers by account, guests by address.

use chassis::{email::Email, error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

/// A current or former subscriber.
#[derive(Debug, Clone)]
pub(crate) struct Subscriber {
    pub(crate) id: i64,
    /// Account; `None` for a guest.
    pub(crate) profile_id: Option<i64>,
    pub(crate) email: String,
    pub(crate) email_key: String,
    pub(crate) is_confirmed: bool,
    /// Token in the links of the subscriber's emails.
    pub(crate) token: String,
    pub(crate) created_at: DateTime<Utc>,
}

/// An account's address at a time.
#[derive(Debug, Clone)]
pub(crate) struct Account<'a> {
    pub(crate) profile_id: i64,
    pub(crate) email: &'a Email,
    pub(crate) is_confirmed: bool,
    pub(crate) at: DateTime<Utc>,
}

/// Returns an account's subscriber, locked until the transaction ends. It is inserted if missing; an existing
/// subscriber keeps its address, which may have been confirmed since.
#[sql("subscribers.enter")]
pub(crate) async fn enter(
    connection: &mut PgConnection,
    account: &Account<'_>,
    token: &str,
    now: DateTime<Utc>,
) -> Result<Subscriber, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "INSERT INTO subscribers AS s (profile_id, email, email_key, is_confirmed, email_at, token, created_at, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
         ON CONFLICT (profile_id) DO UPDATE SET changed_at = excluded.changed_at,
           is_confirmed = s.is_confirmed OR (excluded.is_confirmed AND s.email_key = excluded.email_key)
         RETURNING id, profile_id, email, email_key, is_confirmed, token, created_at",
        account.profile_id,
        account.email.as_str(),
        account.email.key(),
        account.is_confirmed,
        account.at,
        token,
        now,
    )
    .fetch_one(connection)
    .await
}

/// Returns the subscriber of a guest with a confirmed address, locked until the transaction ends. It is inserted if
/// missing.
#[sql("subscribers.enter_guest")]
pub(crate) async fn enter_guest(
    connection: &mut PgConnection,
    email: &Email,
    token: &str,
    now: DateTime<Utc>,
) -> Result<Subscriber, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "INSERT INTO subscribers AS s (email, email_key, is_confirmed, email_at, token, created_at, changed_at)
         VALUES ($1, $2, true, $4, $3, $4, $4)
         ON CONFLICT (email_key) WHERE profile_id IS NULL DO UPDATE SET changed_at = excluded.changed_at
         RETURNING id, profile_id, email, email_key, is_confirmed, token, created_at",
        email.as_str(),
        email.key(),
        token,
        now,
    )
    .fetch_one(connection)
    .await
}

/// Changes the confirmed address of an account's subscriber, unless a later address is stored. Returns whether it was
/// changed.
#[sql("subscribers.move_to")]
pub(crate) async fn move_to(
    connection: &mut PgConnection,
    account: &Account<'_>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE subscribers SET email = $2, email_key = $3, is_confirmed = true, email_at = $4
         WHERE profile_id = $1 AND email_at < $4 AND (NOT is_confirmed OR email <> $2)",
        account.profile_id,
        account.email.as_str(),
        account.email.key(),
        account.at,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the subscriber of an account, or else the guest with its confirmed address.
#[sql("subscribers.of_reader")]
pub(crate) async fn of_reader(
    pool: &PgPool,
    profile_id: i64,
    verified: Option<&Email>,
) -> Result<Option<Subscriber>, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, profile_id, email, email_key, is_confirmed, token, created_at FROM subscribers
         WHERE profile_id = $1 OR (profile_id IS NULL AND email_key = $2) ORDER BY profile_id NULLS LAST LIMIT 1",
        profile_id,
        verified.map(Email::key),
    )
    .fetch_optional(pool)
    .await
}

/// Returns the subscriber of an account, locked until the transaction ends.
#[sql("subscribers.lock_profile")]
pub(crate) async fn lock_profile(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<Option<Subscriber>, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, profile_id, email, email_key, is_confirmed, token, created_at FROM subscribers
         WHERE profile_id = $1 FOR UPDATE",
        profile_id,
    )
    .fetch_optional(connection)
    .await
}

/// Returns the subscriber with this token.
#[sql("subscribers.of_token")]
pub(crate) async fn of_token(
    pool: &PgPool,
    token: &str,
) -> Result<Option<Subscriber>, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, profile_id, email, email_key, is_confirmed, token, created_at FROM subscribers
         WHERE token = $1 OR id = (SELECT subscriber_id FROM former_tokens f WHERE f.token = $1)",
        token,
    )
    .fetch_optional(pool)
    .await
}

/// Returns the subscriber with this token, locked until the transaction ends, and records the time of the change.
#[sql("subscribers.lock_token")]
pub(crate) async fn lock_token(
    connection: &mut PgConnection,
    token: &str,
    now: DateTime<Utc>,
) -> Result<Option<Subscriber>, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "UPDATE subscribers SET changed_at = $2
         WHERE token = $1 OR id = (SELECT subscriber_id FROM former_tokens f WHERE f.token = $1)
         RETURNING id, profile_id, email, email_key, is_confirmed, token, created_at",
        token,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Locks the account's subscriber with this confirmed address.
#[sql("subscribers.lock_reader")]
pub(crate) async fn lock_reader(
    connection: &mut PgConnection,
    email_key: &str,
) -> Result<Option<Subscriber>, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, profile_id, email, email_key, is_confirmed, token, created_at FROM subscribers
         WHERE email_key = $1 AND profile_id IS NOT NULL AND is_confirmed ORDER BY email_at DESC LIMIT 1 FOR UPDATE",
        email_key,
    )
    .fetch_optional(connection)
    .await
}

/// Locks the guest with this address.
#[sql("subscribers.lock_guest")]
pub(crate) async fn lock_guest(
    connection: &mut PgConnection,
    email_key: &str,
) -> Result<Option<Subscriber>, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, profile_id, email, email_key, is_confirmed, token, created_at FROM subscribers
         WHERE email_key = $1 AND profile_id IS NULL FOR UPDATE",
        email_key,
    )
    .fetch_optional(connection)
    .await
}

/// Returns all subscribers with a confirmed address, guests and readers.
#[sql("subscribers.of_address")]
pub(crate) async fn of_address(
    pool: &PgPool,
    email_key: &str,
) -> Result<Vec<Subscriber>, sqlx::Error> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, profile_id, email, email_key, is_confirmed, token, created_at FROM subscribers
         WHERE email_key = $1 AND is_confirmed ORDER BY id",
        email_key,
    )
    .fetch_all(pool)
    .await
}

/// Transfers a subscriber's tokens to another subscriber.
#[sql("former_tokens.take_over")]
pub(crate) async fn take_over_tokens(
    connection: &mut PgConnection,
    from: &Subscriber,
    to: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE former_tokens SET subscriber_id = $2 WHERE subscriber_id = $1",
        from.id,
        to,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO former_tokens (token, subscriber_id) VALUES ($1, $2)",
        from.token,
        to,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a subscriber and its subscriptions.
#[sql("subscribers.delete")]
pub(crate) async fn delete(connection: &mut PgConnection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM subscribers WHERE id = $1", id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes guests without newsletters since before this time; returns their number.
#[sql("subscribers.delete_idle")]
pub(crate) async fn delete_idle(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM subscribers WHERE id = ANY(ARRAY(
                SELECT id FROM subscribers s WHERE profile_id IS NULL AND changed_at < $1
                AND NOT EXISTS (SELECT FROM subscriptions WHERE subscriber_id = s.id) LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}
