//! Exports a reader's contest entries.

use chassis::{
    error::Fault,
    instant,
    readers::{EXPORT_ROWS, Export, export_page, record},
};
use cityguide_proto::readers::v1::ExportResponse;
use serde::Serialize;

use super::erase_reader::ENTRIES;
use crate::{
    context::Context,
    store::entries::{self, ExportedEntry},
};

#[derive(Serialize)]
struct Entry {
    id: i64,
    contest: i64,
    name: String,
    full_name: String,
    email: String,
    answer: String,
    date_created: String,
}

/// Returns a page of the entries with the reader's address, if it is verified.
pub(crate) async fn export_reader(
    context: &Context,
    export: &Export,
) -> Result<ExportResponse, Fault> {
    let Some(email) = &export.verified_email else {
        return Ok(ExportResponse::default());
    };
    let found = entries::export(&context.pool, email, export.after_id()?, EXPORT_ROWS).await?;
    let cursor = |entry: &ExportedEntry| entry.id.to_string();
    export_page(found, cursor, |entry| {
        let exported = Entry {
            id: entry.id,
            contest: entry.contest_id,
            name: entry.contest_name,
            full_name: entry.full_name,
            email: entry.email,
            answer: entry.answer,
            date_created: instant::to_rfc3339(entry.entered_at),
        };
        record(ENTRIES, &exported)
    })
}
