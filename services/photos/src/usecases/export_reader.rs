//! Exports a reader's photos and reports, and the decisions about them.

use chassis::{
    error::Fault,
    instant,
    readers::{EXPORT_ROWS, Export, export_page, record},
};
use cityguide_proto::readers::v1::ExportResponse;
use serde::Serialize;

use super::{
    erase_reader::{DECISIONS, PHOTOS, REPORTS, UPLOADER},
    folder,
};
use crate::{context::Context, store::readers};

#[derive(Serialize)]
struct Photo {
    id: i64,
    listing: i64,
    status: String,
    reason: String,
    description: String,
    credit: String,
    licence: String,
    /// The archive's file with the whole picture; null until its sizes are made.
    file: Option<String>,
    date_created: String,
    date_published: Option<String>,
}

#[derive(Serialize)]
struct Report {
    photo: i64,
    reason: String,
    comment: String,
    date_created: String,
}

#[derive(Serialize)]
struct Decision {
    photo: Option<i64>,
    act: String,
    reason: String,
    date_created: String,
}

#[derive(Serialize)]
struct Uploader {
    full_name: String,
    accepted_in_a_row: i32,
    banned_since: Option<String>,
    /// The archive's file with the reader's avatar; null if there is none.
    file: Option<String>,
}

/// The kinds, in export order.
const KINDS: [&str; 4] = [PHOTOS, REPORTS, DECISIONS, UPLOADER];

/// A page of one kind; its cursor contains the kind and the last id.
pub(crate) async fn export_reader(
    context: &Context,
    export: &Export,
) -> Result<ExportResponse, Fault> {
    let (kind, after) = match export.after.split_once(':') {
        None if export.after.is_empty() => (PHOTOS, 0),
        Some((kind, after)) => {
            let after: i64 = after.parse().map_err(|_| Export::wrong_page())?;
            (kind, after)
        }
        None => return Err(Export::wrong_page()),
    };
    let position = KINDS.iter().position(|known| *known == kind);
    let position = position.ok_or_else(Export::wrong_page)?;
    let mut page = export_kind(context, export.profile_id, KINDS[position], after).await?;
    if page.next.is_none() {
        page.next = KINDS.get(position + 1).map(|kind| format!("{kind}:0"));
    }
    Ok(page)
}

async fn export_kind(
    context: &Context,
    reader: i64,
    kind: &'static str,
    after: i64,
) -> Result<ExportResponse, Fault> {
    let pool = &context.pool;
    match kind {
        PHOTOS => {
            let found = readers::photos(pool, reader, after, EXPORT_ROWS).await?;
            let cursor = |photo: &readers::ExportedPhoto| format!("{kind}:{}", photo.id);
            export_page(found, cursor, |photo| record(kind, &told_photo(photo)))
        }
        REPORTS => {
            let found = readers::reports(pool, reader, after, EXPORT_ROWS).await?;
            let cursor = |report: &readers::ExportedReport| format!("{kind}:{}", report.photo_id);
            export_page(found, cursor, |report| {
                let exported = Report {
                    photo: report.photo_id,
                    reason: report.reason,
                    comment: report.comment,
                    date_created: instant::to_rfc3339(report.at),
                };
                record(kind, &exported)
            })
        }
        DECISIONS => {
            let found = readers::decisions(pool, reader, after, EXPORT_ROWS).await?;
            let cursor = |decision: &readers::ExportedDecision| format!("{kind}:{}", decision.id);
            export_page(found, cursor, |decision| {
                let exported = Decision {
                    photo: decision.photo_id,
                    act: decision.act,
                    reason: decision.reason,
                    date_created: instant::to_rfc3339(decision.at),
                };
                record(kind, &exported)
            })
        }
        _ => {
            let found = readers::uploader(pool, reader).await?;
            export_page(
                found.into_iter().collect(),
                |_| String::new(),
                |uploader| {
                    let exported = Uploader {
                        full_name: uploader.full_name,
                        accepted_in_a_row: uploader.accepted,
                        banned_since: uploader.banned_at.map(instant::to_rfc3339),
                        file: uploader
                            .avatar
                            .map(|name| format!("{}/80x80.jpg", folder(name))),
                    };
                    record(kind, &exported)
                },
            )
        }
    }
}

fn told_photo(photo: readers::ExportedPhoto) -> Photo {
    Photo {
        id: photo.id,
        listing: photo.listing_id,
        status: photo.status,
        reason: photo.reason,
        description: photo.description,
        credit: photo.credit,
        licence: photo.licence,
        file: photo
            .is_made
            .then(|| format!("{}/whole.jpg", folder(photo.name))),
        date_created: instant::to_rfc3339(photo.created_at),
        date_published: photo.published_at.map(instant::to_rfc3339),
    }
}
