//! Lists of places.

use chassis::{paging::Page, slug};
use cityguide_proto::{paging::v1::PageInfo, places::v1::ListListingsRequest};

use super::get_listing::check_ids;
use crate::{
    context::Context,
    domain::{Listing, ListingFilter},
    error::Error,
    store::{counts, listings, neighbourhoods, types},
};

/// One page of a list; the count is exact where it is kept, else -1.
pub(crate) async fn list_listings(
    context: &Context,
    request: &ListListingsRequest,
) -> Result<(Vec<Listing>, PageInfo), Error> {
    let page =
        Page::parse(request.page.as_ref(), listings::ORDERINGS)?.with_key(listings::is_key)?;
    let filter = filter(context, request).await?;
    let holds_all = page.keywords.is_none() && page.ordering.field != "date_reviewed";
    let count = if filter.has_kept_count() && holds_all {
        counts::of(&context.pool, &filter).await?
    } else {
        -1
    };
    let rows = listings::list(&context.pool, &filter, &page).await?;
    let (rows, info) = page.finish(rows, count, |last| listings::cursor(&page, last));
    Ok((rows.into_iter().map(|row| row.listing).collect(), info))
}

async fn filter(context: &Context, request: &ListListingsRequest) -> Result<ListingFilter, Error> {
    check_ids(&request.ids)?;
    let unknown = |field, slug: &str| Error::UnknownSlug {
        field,
        slug: slug.to_owned(),
    };
    let type_id = match request.r#type.as_str() {
        "" => None,
        slug if !slug::is_slug(slug) => return Err(unknown("type", slug)),
        slug => Some(
            types::id_of(&context.pool, slug)
                .await?
                .ok_or_else(|| unknown("type", slug))?,
        ),
    };
    let neighbourhood_id = match request.neighbourhood.as_str() {
        "" => None,
        slug if !slug::is_slug(slug) => return Err(unknown("neighbourhood", slug)),
        slug => Some(
            neighbourhoods::id_of(&context.pool, slug)
                .await?
                .ok_or_else(|| unknown("neighbourhood", slug))?,
        ),
    };
    let sub_type_slug = match request.sub_type.as_str() {
        "" => None,
        slug if !slug::is_slug(slug) => return Err(unknown("sub_type", slug)),
        slug => Some(slug.to_owned()),
    };
    Ok(ListingFilter {
        type_id,
        neighbourhood_id,
        sub_type_slug,
        is_closed: request.is_closed,
        reviewed: request.reviewed,
        ids: (!request.ids.is_empty()).then(|| request.ids.clone()),
    })
}
