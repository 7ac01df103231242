//! `profiles`: accounts.

use chassis::{email::Email, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::domain::{Newcomer, Profile};

/// An account to be created.
pub(crate) struct NewProfile<'a> {
    pub(crate) newcomer: &'a Newcomer,
    /// One that no password has, if the account has none.
    pub(crate) password_hash: &'a str,
    pub(crate) has_password: bool,
    /// By which authenticators know the account, if it has a passkey.
    pub(crate) user_handle: Option<Uuid>,
}

/// Creates an account; `None` if the address is taken.
#[sql("profiles.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    profile: &NewProfile<'_>,
    now: DateTime<Utc>,
) -> Result<Option<i64>, sqlx::Error> {
    let Newcomer { full_name, email } = profile.newcomer;
    sqlx::query_scalar!(
        "INSERT INTO profiles
             (full_name, email, email_key, password_hash, has_password, user_handle, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (email_key) DO NOTHING
         RETURNING id",
        full_name,
        email.as_str(),
        email.key(),
        profile.password_hash,
        profile.has_password,
        profile.user_handle,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Whether an address is taken.
#[sql("profiles.is_taken")]
pub(crate) async fn is_taken(
    database: impl PgExecutor<'_>,
    email: &Email,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM profiles WHERE email_key = $1) AS "taken!""#,
        email.key(),
    )
    .fetch_one(database)
    .await
}

/// The record that a sign-in is checked against.
pub(crate) struct Credentials {
    pub(crate) id: i64,
    /// The address as the reader wrote it.
    pub(crate) email: String,
    pub(crate) password_hash: String,
    pub(crate) created_at: DateTime<Utc>,
    /// When an operator has disabled the account.
    pub(crate) disabled_at: Option<DateTime<Utc>>,
}

/// The credentials of an address.
#[sql("profiles.credentials")]
pub(crate) async fn credentials(
    pool: &PgPool,
    email: &Email,
) -> Result<Option<Credentials>, sqlx::Error> {
    sqlx::query_as!(
        Credentials,
        "SELECT id, email, password_hash, created_at, disabled_at FROM profiles WHERE email_key = $1",
        email.key(),
    )
    .fetch_optional(pool)
    .await
}

/// An account.
#[sql("profiles.find")]
pub(crate) async fn find(pool: &PgPool, id: i64) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as!(
        Profile,
        "SELECT id, full_name, email, email_verified, pending_email, calendar_sync, has_password, created_at
         FROM profiles WHERE id = $1",
        id,
    )
    .fetch_optional(pool)
    .await
}

/// An account, which nobody else changes until the transaction ends.
#[sql("profiles.lock")]
pub(crate) async fn lock(
    connection: &mut PgConnection,
    id: i64,
) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as!(
        Profile,
        "SELECT id, full_name, email, email_verified, pending_email, calendar_sync, has_password, created_at
         FROM profiles WHERE id = $1 FOR UPDATE",
        id,
    )
    .fetch_optional(connection)
    .await
}

/// An account whose password is still the one that was checked, which nobody else changes or begins a session of until
/// the transaction ends.
#[sql("profiles.lock_if")]
pub(crate) async fn lock_if(
    connection: &mut PgConnection,
    id: i64,
    checked_hash: &str,
) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as!(
        Profile,
        "SELECT id, full_name, email, email_verified, pending_email, calendar_sync, has_password, created_at
         FROM profiles WHERE id = $1 AND password_hash = $2 FOR UPDATE",
        id,
        checked_hash,
    )
    .fetch_optional(connection)
    .await
}

/// Deletes an account.
#[sql("profiles.delete")]
pub(crate) async fn delete(connection: &mut PgConnection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM profiles WHERE id = $1", id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores what a reader may change of an account without a link: the name, another spelling of the same address, the
/// address that waits to be confirmed, and the calendar choice.
#[sql("profiles.change")]
pub(crate) async fn change(
    connection: &mut PgConnection,
    profile: &Profile,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE profiles SET full_name = $2, email = $3, pending_email = $4, calendar_sync = $5 WHERE id = $1",
        profile.id,
        profile.full_name,
        profile.email,
        profile.pending_email,
        profile.calendar_sync,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The name that a reader has given an account, and when.
pub(crate) struct Named {
    pub(crate) id: i64,
    pub(crate) full_name: String,
    /// The account's address; empty until its owner has confirmed it.
    pub(crate) verified_email: String,
    pub(crate) at: DateTime<Utc>,
}

/// Stores when an account got the name and the confirmed address that it has; returns them.
#[sql("profiles.named")]
pub(crate) async fn named(
    connection: &mut PgConnection,
    id: i64,
    now: DateTime<Utc>,
) -> Result<Named, sqlx::Error> {
    sqlx::query_as!(
        Named,
        r#"UPDATE profiles SET named_at = $2 WHERE id = $1
         RETURNING id, full_name, CASE WHEN email_verified THEN email ELSE '' END AS "verified_email!", named_at AS "at!""#,
        id,
        now,
    )
    .fetch_one(connection)
    .await
}

/// The accounts whose names or confirmed addresses were changed since an instant, after one of them, in the order of the
/// changes.
#[sql("profiles.named_since")]
pub(crate) async fn named_since(
    pool: &PgPool,
    (since, after): (DateTime<Utc>, i64),
    limit: i64,
) -> Result<Vec<Named>, sqlx::Error> {
    sqlx::query_as!(
        Named,
        r#"SELECT id, full_name, CASE WHEN email_verified THEN email ELSE '' END AS "verified_email!", named_at AS "at!"
         FROM profiles
         WHERE named_at IS NOT NULL AND (named_at, id) > ($1, $2) ORDER BY named_at, id LIMIT $3"#,
        since,
        after,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// Makes an address, which its owner has confirmed, the account's, if it is that already or waits to be. Whether it
/// did; the error is a unique violation if another account has taken it meanwhile.
#[sql("profiles.confirm")]
pub(crate) async fn confirm(
    connection: &mut PgConnection,
    id: i64,
    email: &Email,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE profiles SET email = $2, email_key = $3, email_verified = true,
             pending_email = NULLIF(pending_email, $2)
         WHERE id = $1 AND (email_key = $3 OR pending_email = $2)",
        id,
        email.as_str(),
        email.key(),
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Replaces a password that is still the one that was checked. Whether it did.
#[sql("profiles.replace_password")]
pub(crate) async fn replace_password(
    connection: &mut PgConnection,
    id: i64,
    checked_hash: &str,
    new_hash: &str,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE profiles SET password_hash = $3 WHERE id = $1 AND password_hash = $2",
        id,
        checked_hash,
        new_hash,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Keeps a password from being changed, and its account from being disabled, until the transaction ends, if it is still
/// the one that was checked. Whether it is.
#[sql("profiles.hold_password")]
pub(crate) async fn hold_password(
    connection: &mut PgConnection,
    id: i64,
    checked_hash: &str,
) -> Result<bool, sqlx::Error> {
    let held = sqlx::query_scalar!(
        "SELECT id FROM profiles WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL FOR SHARE",
        id,
        checked_hash,
    )
    .fetch_optional(connection)
    .await?;
    Ok(held.is_some())
}

/// Keeps an account, which is enabled, from being disabled or erased until the transaction ends. Whether it is enabled.
#[sql("profiles.hold")]
pub(crate) async fn hold(connection: &mut PgConnection, id: i64) -> Result<bool, sqlx::Error> {
    let held = sqlx::query_scalar!(
        "SELECT id FROM profiles WHERE id = $1 AND disabled_at IS NULL FOR SHARE",
        id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(held.is_some())
}

/// The number by which authenticators know an account, if it ever had a passkey.
#[sql("profiles.user_handle")]
pub(crate) async fn user_handle(pool: &PgPool, id: i64) -> Result<Option<Uuid>, sqlx::Error> {
    let found = sqlx::query_scalar!("SELECT user_handle FROM profiles WHERE id = $1", id);
    Ok(found.fetch_optional(pool).await?.flatten())
}

/// Gives an account the number by which authenticators know it, unless it has one. Whether this is its number now.
#[sql("profiles.keep_user_handle")]
pub(crate) async fn keep_user_handle(
    connection: &mut PgConnection,
    id: i64,
    user_handle: Uuid,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE profiles SET user_handle = $2
         WHERE id = $1 AND coalesce(user_handle, $2) = $2",
        id,
        user_handle,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Sets the password of a reader who has followed a link to `email`; a change of address that somebody else may have
/// asked for is given up.
#[sql("profiles.reset_password")]
pub(crate) async fn reset_password(
    connection: &mut PgConnection,
    id: i64,
    email: &str,
    new_hash: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE profiles SET password_hash = $3, has_password = true, pending_email = NULL,
             email_verified = email_verified OR email = $2
         WHERE id = $1",
        id,
        email,
        new_hash,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// When an operator has disabled an account; `None` for one that is enabled.
#[sql("profiles.disabled_at")]
pub(crate) async fn disabled_at(
    pool: &PgPool,
    id: i64,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    let found = sqlx::query_scalar!("SELECT disabled_at FROM profiles WHERE id = $1", id);
    Ok(found.fetch_optional(pool).await?.flatten())
}

/// Disables an account since an instant, or enables it. One that is disabled already keeps its instant. Whether there is
/// such an account.
#[sql("profiles.set_disabled")]
pub(crate) async fn set_disabled(
    connection: &mut PgConnection,
    id: i64,
    since: Option<DateTime<Utc>>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE profiles SET disabled_at = CASE WHEN $2::timestamptz IS NULL THEN NULL
             ELSE coalesce(disabled_at, $2) END
         WHERE id = $1",
        id,
        since,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The stored hash of an account's password.
#[sql("profiles.password_hash")]
pub(crate) async fn password_hash(pool: &PgPool, id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("SELECT password_hash FROM profiles WHERE id = $1", id)
        .fetch_optional(pool)
        .await
}
