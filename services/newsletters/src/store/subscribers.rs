//! `subscribers`: readers by their accounts, guests by their addresses.

use chassis::{email::Email, error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

/// Somebody who gets newsletters, or did.
#[derive(Debug, Clone)]
pub(crate) struct Subscriber {
    pub(crate) id: i64,
    /// The account; `None` for a guest.
    pub(crate) profile_id: Option<i64>,
    pub(crate) email: String,
    pub(crate) email_key: String,
    pub(crate) is_confirmed: bool,
    /// In the links of their mails.
    pub(crate) token: String,
    pub(crate) created_at: DateTime<Utc>,
}

/// An account's address, as of an instant.
#[derive(Debug, Clone)]
pub(crate) struct Account<'a> {
    pub(crate) profile_id: i64,
    pub(crate) email: &'a Email,
    pub(crate) is_confirmed: bool,
    pub(crate) at: DateTime<Utc>,
}

/// The subscriber of an account, made if there is none, and locked until the transaction ends. One that there is keeps its
/// address, which may have been confirmed since.
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

/// The same for a guest who has confirmed an address.
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

/// Gives an account's subscriber another confirmed address, unless a later one is known. Whether there is one that changed.
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

/// The subscriber of an account, or else the guest with its confirmed address.
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

/// The same, locked until the transaction ends.
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

/// The subscriber who holds a token.
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

/// The same, who has just chosen something; locked until the transaction ends.
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

/// The account's subscriber with a confirmed address, locked.
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

/// The guest with an address, locked.
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

/// Everyone with a confirmed address: a guest or a reader, or none.
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

/// Has the tokens of a subscriber stand for another one, whom the first one has become.
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

/// Deletes a subscriber with the subscriptions.
#[sql("subscribers.delete")]
pub(crate) async fn delete(connection: &mut PgConnection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM subscribers WHERE id = $1", id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes guests who have had no newsletter for long; returns how many.
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
