//! A photo row, with the uploader's name and avatar.

use chrono::{DateTime, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use crate::domain::{Photo, Picture, Status};

/// The columns of [`PhotoRow`], from `photos p JOIN uploaders u USING (profile_id)`.
pub(super) const COLUMNS: &str = "p.id, p.profile_id, p.listing_id, p.status, p.suspicion, p.reason, p.description, \
     p.credit, p.licence, p.name, p.incoming, p.width, p.height, p.thumbhash, p.created_at, p.published_at, u.full_name, \
     u.avatar";

#[derive(FromRow)]
pub(super) struct PhotoRow {
    pub(super) id: i64,
    pub(super) profile_id: i64,
    pub(super) listing_id: i64,
    pub(super) status: String,
    pub(super) suspicion: Option<String>,
    pub(super) reason: String,
    pub(super) description: String,
    pub(super) credit: String,
    pub(super) licence: String,
    pub(super) name: Uuid,
    pub(super) incoming: Option<Uuid>,
    pub(super) width: Option<i32>,
    pub(super) height: Option<i32>,
    pub(super) thumbhash: Option<Vec<u8>>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) published_at: Option<DateTime<Utc>>,
    pub(super) full_name: String,
    pub(super) avatar: Option<Uuid>,
}

impl From<PhotoRow> for Photo {
    fn from(row: PhotoRow) -> Self {
        let picture = match (row.width, row.height) {
            (Some(width), Some(height)) => Some(Picture {
                width,
                height,
                thumbhash: row.thumbhash.unwrap_or_default(),
            }),
            _ => None,
        };
        Self {
            id: row.id,
            profile_id: row.profile_id,
            listing_id: row.listing_id,
            // The table allows no other status.
            status: Status::named(&row.status).unwrap_or(Status::Refused),
            suspicion: row.suspicion.unwrap_or_default(),
            reason: row.reason,
            description: row.description,
            credit: row.credit,
            licence: row.licence,
            name: row.name,
            incoming: row.incoming,
            picture,
            created_at: row.created_at,
            published_at: row.published_at,
            full_name: row.full_name,
            avatar: row.avatar,
        }
    }
}
