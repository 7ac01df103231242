//! The table `profiles`: accounts.

use chassis::{email::Email, postgres::lock_until_commit, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::domain::{Newcomer, Profile};

/// An account to be created.
pub(crate) struct NewProfile<'a> {
    pub(crate) newcomer: &'a Newcomer,
    /// A hash that no password matches, if the account has no password.
    pub(crate) password_hash: &'a str,
    pub(crate) has_password: bool,
    /// The id under which authenticators store the account, if it has a passkey.
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
    lock_address(&mut *connection, email).await?;
    sqlx::query_scalar!(
        "INSERT INTO profiles
             (full_name, email, email_key, password_hash, has_password, user_handle, created_at)
         SELECT $1, $2, $3, $4, $5, $6, $7
         WHERE NOT EXISTS (SELECT FROM mailed_links WHERE restores = $3 AND expires_at > $7)
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

/// Locks an address until the transaction ends, so that no other account gets it in the meantime. Without the lock,
/// PostgreSQL would refuse the second account, and write the address to its own log.
async fn lock_address(connection: &mut PgConnection, email: &Email) -> Result<(), sqlx::Error> {
    lock_until_commit(connection, &format!("identity.address.{}", email.key())).await
}

/// Locks an address until the transaction ends, for the account that will get it. Returns whether the address is free.
#[sql("profiles.claim_address")]
pub(crate) async fn claim_address(
    connection: &mut PgConnection,
    profile_id: i64,
    email: &Email,
) -> Result<bool, sqlx::Error> {
    lock_address(&mut *connection, email).await?;
    sqlx::query_scalar!(
        r#"SELECT NOT EXISTS (SELECT FROM profiles WHERE email_key = $1 AND id <> $2) AS "is_free!""#,
        email.key(),
        profile_id,
    )
    .fetch_one(connection)
    .await
}

/// Whether another account has an address, or can still restore it. `profile_id` is `None` for a new account.
#[sql("profiles.is_taken")]
pub(crate) async fn is_taken(
    database: impl PgExecutor<'_>,
    email: &Email,
    profile_id: Option<i64>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM profiles WHERE email_key = $1) OR EXISTS (
               SELECT FROM mailed_links
               WHERE restores = $1 AND expires_at > $3 AND profile_id IS DISTINCT FROM $2) AS "taken!""#,
        email.key(),
        profile_id,
        now,
    )
    .fetch_one(database)
    .await
}

/// The data with which a sign-in is verified.
pub(crate) struct Credentials {
    pub(crate) id: i64,
    /// The address as written by the reader.
    pub(crate) email: String,
    pub(crate) password_hash: String,
    pub(crate) created_at: DateTime<Utc>,
    /// When an operator disabled the account.
    pub(crate) disabled_at: Option<DateTime<Utc>>,
}

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

/// An account, locked until the transaction ends.
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

/// Returns an account and locks it until the transaction ends, so that its password cannot be changed and no session
/// can begin. Returns `None` if the password has changed since it was verified.
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

#[sql("profiles.delete")]
pub(crate) async fn delete(connection: &mut PgConnection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM profiles WHERE id = $1", id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores the changes that need no confirmation link: the name, another spelling of the same address, the address that
/// is awaiting confirmation, and the calendar choice.
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

/// A reader's name and confirmed address, and when they were set.
pub(crate) struct Named {
    pub(crate) id: i64,
    pub(crate) full_name: String,
    /// The account's address; empty until its owner has confirmed it.
    pub(crate) verified_email: String,
    pub(crate) at: DateTime<Utc>,
}

/// Stores the time at which an account's current name and confirmed address were set; returns them.
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

/// The accounts whose names or confirmed addresses were changed since an instant, after a given account, in the order
/// of the changes.
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

/// Sets a confirmed address as the account's address, if it already is that address or is awaiting confirmation.
/// Returns whether it was set. The caller has claimed the address.
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

/// Replaces a password, unless it has changed since it was verified. Returns whether it was replaced.
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

/// Locks an account until the transaction ends, so that its password cannot be changed and it cannot be disabled.
/// Returns false if the password has changed since it was verified, or if the account is disabled.
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

/// Locks an enabled account until the transaction ends, so that it cannot be disabled or erased. Returns false if it is
/// not enabled.
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

/// The id under which authenticators store an account, if it ever had a passkey.
#[sql("profiles.user_handle")]
pub(crate) async fn user_handle(pool: &PgPool, id: i64) -> Result<Option<Uuid>, sqlx::Error> {
    let found = sqlx::query_scalar!("SELECT user_handle FROM profiles WHERE id = $1", id);
    Ok(found.fetch_optional(pool).await?.flatten())
}

/// Sets the id under which authenticators store an account, unless it already has one. Returns whether the account's id
/// is now `user_handle`.
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

/// Sets the password of a reader who followed a link mailed to `email`, and discards a pending address change, which
/// somebody else may have requested.
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

/// Restores a former address of an account. The caller has claimed the address.
#[sql("profiles.restore_email")]
pub(crate) async fn restore_email(
    connection: &mut PgConnection,
    id: i64,
    email: &Email,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE profiles SET email = $2, email_key = $3 WHERE id = $1",
        id,
        email.as_str(),
        email.key(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Replaces an account's password with a hash that no password matches.
#[sql("profiles.end_password")]
pub(crate) async fn end_password(
    connection: &mut PgConnection,
    id: i64,
    nobody: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE profiles SET password_hash = $2, has_password = false WHERE id = $1",
        id,
        nobody,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// When an operator disabled an account; `None` if it is enabled.
#[sql("profiles.disabled_at")]
pub(crate) async fn disabled_at(
    pool: &PgPool,
    id: i64,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    let found = sqlx::query_scalar!("SELECT disabled_at FROM profiles WHERE id = $1", id);
    Ok(found.fetch_optional(pool).await?.flatten())
}

/// Disables an account as of an instant, or enables it. An account that is already disabled keeps its earlier instant.
/// Returns whether the account exists.
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
