//! Exports all items that a reader has saved.

use chassis::{
    error::Fault,
    instant,
    readers::{EXPORT_ROWS, Export, export_page, kind_name, record},
};
use cityguide_proto::readers::v1::ExportResponse;
use serde::Serialize;

use crate::{
    context::Context,
    store::readers::{self, Exported},
};

#[derive(Serialize)]
struct Bookmark {
    id: i64,
    /// The id of the place, article, event or video.
    object_id: i64,
    name: String,
    date_created: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_done: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    add_to_calendar: Option<bool>,
}

/// A page of the reader's records, ordered by kind; the last page also contains the stamps.
pub(crate) async fn export_reader(
    context: &Context,
    export: &Export,
) -> Result<ExportResponse, Fault> {
    let after = parse(&export.after)?;
    let (pool, reader) = (&context.pool, export.profile_id);
    let found = readers::export(pool, reader, after, EXPORT_ROWS).await?;
    let page = export_page(found, cursor, |one| {
        let exported = Bookmark {
            id: one.id,
            object_id: one.target_id,
            name: one.name,
            date_created: instant::to_rfc3339(one.created_at),
            is_done: one.is_done,
            add_to_calendar: one.add_to_calendar,
        };
        record(&kind_name(&one.kind), &exported)
    })?;
    context.stamps.export_at_end(reader, page).await
}

/// The cursor after a record: its kind and target.
fn cursor(last: &Exported) -> String {
    format!("{} {}", last.kind, last.target_id)
}

fn parse(after: &str) -> Result<(&str, i64), Fault> {
    if after.is_empty() {
        return Ok(("", 0));
    }
    let parts = after.split_once(' ');
    let parts = parts.and_then(|(kind, target)| Some((kind, target.parse().ok()?)));
    parts.ok_or_else(Export::wrong_page)
}
