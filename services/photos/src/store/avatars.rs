//! The columns of the table `uploaders` with readers' avatars.

use chassis::sql;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::domain::{Avatar, NextAvatar};

struct AvatarRow {
    avatar: Option<Uuid>,
    next_avatar: Option<Uuid>,
    avatar_incoming: Option<Uuid>,
    avatar_refusal: String,
}

impl From<AvatarRow> for Avatar {
    fn from(row: AvatarRow) -> Self {
        let next = row.next_avatar.zip(row.avatar_incoming);
        Self {
            name: row.avatar,
            next: next.map(|(name, incoming)| NextAvatar { name, incoming }),
            refusal: row.avatar_refusal,
        }
    }
}

/// A reader's avatar; empty for a reader who has never uploaded.
#[sql("avatars.find")]
pub(crate) async fn find(pool: &PgPool, profile_id: i64) -> Result<Avatar, sqlx::Error> {
    let row = sqlx::query_as!(
        AvatarRow,
        "SELECT avatar, next_avatar, avatar_incoming, avatar_refusal FROM uploaders WHERE profile_id = $1",
        profile_id,
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(Avatar::from).unwrap_or_default())
}

/// A reader's avatar, with its row locked until the transaction ends.
#[sql("avatars.lock")]
pub(crate) async fn lock(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<Avatar, sqlx::Error> {
    let row = sqlx::query_as!(
        AvatarRow,
        "SELECT avatar, next_avatar, avatar_incoming, avatar_refusal FROM uploaders WHERE profile_id = $1 FOR UPDATE",
        profile_id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(Avatar::from).unwrap_or_default())
}

/// Stores a locked avatar.
#[sql("avatars.store")]
pub(crate) async fn store(
    connection: &mut PgConnection,
    profile_id: i64,
    avatar: &Avatar,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE uploaders SET avatar = $2, next_avatar = $3, avatar_incoming = $4, avatar_refusal = $5
         WHERE profile_id = $1",
        profile_id,
        avatar.name,
        avatar.next.map(|next| next.name),
        avatar.next.map(|next| next.incoming),
        avatar.refusal,
    )
    .execute(connection)
    .await?;
    Ok(())
}
