//! The inspections of a place.

use chassis::{error::Fault, paging::Page};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};

use crate::{context::Context, domain::Inspection, store::inspections};

/// Returns a page of a place's inspections, latest first; empty if the place is not inspected.
pub(crate) async fn list_inspections(
    context: &Context,
    listing_id: i64,
    page: Option<&PageRequest>,
) -> Result<(Vec<Inspection>, PageInfo), Fault> {
    let page = Page::parse(page, inspections::ORDERINGS)?.with_key(|_| inspections::KEY)?;
    let count = inspections::count(&context.pool, listing_id).await?;
    let count = count.ok_or_else(Fault::not_found)?;
    let rows = inspections::list(&context.pool, listing_id, &page).await?;
    Ok(page.finish(rows, count, |last| (last.date.to_string(), last.id)))
}
