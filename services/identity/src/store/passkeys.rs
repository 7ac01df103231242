//! The table `passkeys`.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool, types::Json};
use uuid::Uuid;

use crate::domain::{Credential, Passkey};

/// Stores a passkey; `None` if this or another account already has it.
#[sql("passkeys.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    profile_id: i64,
    credential: &Credential,
    device: &str,
    now: DateTime<Utc>,
) -> Result<Option<i64>, sqlx::Error> {
    let id: &[u8] = credential.cred_id().as_ref();
    sqlx::query_scalar!(
        "INSERT INTO passkeys (profile_id, credential_id, credential, device, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (credential_id) DO NOTHING
         RETURNING id",
        profile_id,
        id,
        Json(credential) as _,
        device,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// A passkey and its account.
pub(crate) struct Owned {
    pub(crate) id: i64,
    pub(crate) credential: Credential,
    pub(crate) profile_id: i64,
    pub(crate) email: String,
    /// When the account was created.
    pub(crate) account_created_at: DateTime<Utc>,
    /// When an operator disabled the account.
    pub(crate) disabled_at: Option<DateTime<Utc>>,
}

struct OwnedRow {
    id: i64,
    credential: Json<Credential>,
    profile_id: i64,
    email: String,
    account_created_at: DateTime<Utc>,
    disabled_at: Option<DateTime<Utc>>,
}

impl From<OwnedRow> for Owned {
    fn from(row: OwnedRow) -> Self {
        Self {
            id: row.id,
            credential: row.credential.0,
            profile_id: row.profile_id,
            email: row.email,
            account_created_at: row.account_created_at,
            disabled_at: row.disabled_at,
        }
    }
}

/// The passkey with this id, if it belongs to the user whose id is stored in the authenticator.
#[sql("passkeys.find")]
pub(crate) async fn find(
    pool: &PgPool,
    credential_id: &[u8],
    user_handle: Uuid,
) -> Result<Option<Owned>, sqlx::Error> {
    let found = sqlx::query_as!(
        OwnedRow,
        r#"SELECT k.id, k.credential AS "credential: Json<Credential>", k.profile_id, p.email,
                  p.created_at AS account_created_at, p.disabled_at
           FROM passkeys k JOIN profiles p ON p.id = k.profile_id
           WHERE k.credential_id = $1 AND p.user_handle = $2"#,
        credential_id,
        user_handle,
    )
    .fetch_optional(pool)
    .await?;
    Ok(found.map(Owned::from))
}

struct PasskeyRow {
    id: i64,
    credential: Json<Credential>,
    device: String,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
}

impl From<PasskeyRow> for Passkey {
    fn from(row: PasskeyRow) -> Self {
        Self {
            id: row.id,
            credential: row.credential.0,
            device: row.device,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
        }
    }
}

/// The passkeys of an account, newest first: at most [`crate::domain::MAX_PASSKEYS`].
#[sql("passkeys.of_profile")]
pub(crate) async fn of_profile(
    database: impl PgExecutor<'_>,
    profile_id: i64,
) -> Result<Vec<Passkey>, sqlx::Error> {
    let rows = sqlx::query_as!(
        PasskeyRow,
        r#"SELECT id, credential AS "credential: Json<Credential>", device, created_at, last_used_at
           FROM passkeys WHERE profile_id = $1 ORDER BY id DESC"#,
        profile_id,
    )
    .fetch_all(database)
    .await?;
    Ok(rows.into_iter().map(Passkey::from).collect())
}

/// Records the use of a passkey and its counter. Returns whether the passkey still exists.
#[sql("passkeys.touch")]
pub(crate) async fn touch(
    connection: &mut PgConnection,
    id: i64,
    credential: &Credential,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE passkeys SET credential = $2, last_used_at = $3 WHERE id = $1",
        id,
        Json(credential) as _,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes a passkey of an account. Returns whether it existed.
#[sql("passkeys.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM passkeys WHERE profile_id = $1 AND id = $2",
        profile_id,
        id,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes all passkeys of an account; returns how many.
#[sql("passkeys.delete_all")]
pub(crate) async fn delete_all(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM passkeys WHERE profile_id = $1", profile_id);
    Ok(done.execute(connection).await?.rows_affected())
}
