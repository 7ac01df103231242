//! Best-of lists.

use chassis::{error::Fault, paging::Page, slug::is_slug};
use cityguide_proto::paging::v1::PageInfo;
use places_proto::v1::ListBestOfRequest;
use std::collections::HashMap;

use crate::{
    context::Context,
    domain::{BestOfEntry, BestOfList},
    store::{best_of, listings},
    usecases::request::check_ids,
};

/// Returns a page of lists; the count is exact without keywords and ids, otherwise -1.
pub(crate) async fn list_best_of(
    context: &Context,
    request: &ListBestOfRequest,
) -> Result<(Vec<BestOfList>, PageInfo), Fault> {
    check_ids(&request.ids)?;
    let page =
        Page::parse(request.page.as_ref(), best_of::ORDERINGS)?.with_key(best_of::key_type)?;
    let count = if page.keywords.is_none() && request.ids.is_empty() {
        best_of::count(&context.pool).await?
    } else {
        -1
    };
    let rows = best_of::list(&context.pool, &request.ids, &page).await?;
    Ok(page.finish(rows, count, |last| best_of::cursor(&page, last)))
}

/// Returns a list by its slug, with all its places.
pub(crate) async fn get_best_of(
    context: &Context,
    slug: &str,
) -> Result<(BestOfList, Vec<BestOfEntry>), Fault> {
    if !is_slug(slug) {
        return Err(Fault::not_found());
    }
    let list = best_of::find(&context.pool, slug).await?;
    let list = list.ok_or_else(Fault::not_found)?;
    let ranked = best_of::entries(&context.pool, list.id).await?;
    let ids: Vec<i64> = ranked.iter().map(|entry| entry.listing_id).collect();
    let listings = listings::among(&context.pool, &ids).await?;
    let mut by_id: HashMap<i64, _> = listings
        .into_iter()
        .map(|listing| (listing.id, listing))
        .collect();
    let entries = ranked.into_iter().filter_map(|entry| {
        let listing = by_id.remove(&entry.listing_id)?;
        // The text about a place counts as part of its review.
        let text_html = if listing.kind.is_age_restricted {
            String::new()
        } else {
            entry.text_html
        };
        Some(BestOfEntry {
            rank: entry.rank,
            listing,
            text_html,
        })
    });
    Ok((list, entries.collect()))
}
