//! `profiles`: accounts.

use chassis::{email::Email, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::Profile;

/// Creates an account; `None` if the address is taken.
#[sql("profiles.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    full_name: &str,
    email: &Email,
    password_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO profiles (full_name, email, email_key, password_hash, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (email_key) DO NOTHING
         RETURNING id",
        full_name,
        email.as_str(),
        email.key(),
        password_hash,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Whether an address is taken.
#[sql("profiles.is_taken")]
pub(crate) async fn is_taken(pool: &PgPool, email: &Email) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM profiles WHERE email_key = $1) AS "taken!""#,
        email.key(),
    )
    .fetch_one(pool)
    .await
}

/// The record that a sign-in is checked against.
pub(crate) struct Credentials {
    pub(crate) id: i64,
    pub(crate) password_hash: String,
}

/// The credentials of an address.
#[sql("profiles.credentials")]
pub(crate) async fn credentials(
    pool: &PgPool,
    email: &Email,
) -> Result<Option<Credentials>, sqlx::Error> {
    sqlx::query_as!(
        Credentials,
        "SELECT id, password_hash FROM profiles WHERE email_key = $1",
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
        "SELECT id, full_name, email, email_verified, created_at FROM profiles WHERE id = $1",
        id,
    )
    .fetch_optional(pool)
    .await
}
