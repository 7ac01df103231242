//! Exports a reader's votes.

use chassis::{
    error::Fault,
    instant,
    readers::{EXPORT_ROWS, Export, export_page, record},
};
use cityguide_proto::readers::v1::ExportResponse;
use serde::Serialize;

use super::erase_reader::RATINGS;
use crate::{
    context::Context,
    store::rated::{self, ExportedVote},
};

#[derive(Serialize)]
struct Vote {
    id: i64,
    listing: i64,
    name: String,
    rating: i16,
    date_created: String,
    is_counted: bool,
    network: Option<String>,
    account_hour: Option<String>,
}

/// Returns a page of the reader's votes; the last page ends with the stamp.
pub(crate) async fn export_reader(
    context: &Context,
    export: &Export,
) -> Result<ExportResponse, Fault> {
    let (pool, reader) = (&context.pool, export.profile_id);
    let found = rated::export(pool, reader, export.after_id()?, EXPORT_ROWS).await?;
    let cursor = |vote: &ExportedVote| vote.id.to_string();
    let page = export_page(found, cursor, |vote| {
        let exported = Vote {
            id: vote.id,
            listing: vote.listing_id,
            name: vote.listing_name,
            rating: vote.rating,
            date_created: instant::to_rfc3339(vote.date_created),
            is_counted: vote.is_counted,
            network: vote.network,
            account_hour: vote.account_hour,
        };
        record(RATINGS, &exported)
    })?;
    context.stamps.export_at_end(reader, page).await
}
