//! Lists of items.

use chassis::{error::Fault, instant, paging::Page, slug::is_slug};
use chrono::{DateTime, Utc};
use cityguide_proto::paging::v1::PageInfo;
use editorial_proto::v1::ListItemsRequest;
use prost_types::Timestamp;

use crate::{
    context::Context,
    domain::{ItemFilter, ItemText, Kind},
    store::{counts, items},
    usecases::get_item::at_most,
};

/// Returns a page of a list; the count is exact if it is stored, otherwise -1.
pub(crate) async fn list_items(
    context: &Context,
    kind: Kind,
    request: &ListItemsRequest,
) -> Result<(Vec<ItemText>, PageInfo), Fault> {
    let orderings = if kind == Kind::Event {
        items::EVENT_ORDERINGS
    } else {
        items::ORDERINGS
    };
    let page = Page::parse(request.page.as_ref(), orderings)?.with_key(items::key_type)?;
    let filter = filter(kind, request)?;
    let count = if filter.has_kept_count() && page.keywords.is_none() {
        counts::find(&context.pool, kind, filter.section.as_deref()).await?
    } else {
        -1
    };
    let rows = items::list(
        &context.pool,
        &filter,
        &page,
        request.with_text,
        context.clock.now(),
    )
    .await?;
    let (rows, info) = page.finish(rows, count, |last| items::cursor(&page, last));
    Ok((rows.into_iter().map(ItemText::gated).collect(), info))
}

fn filter(kind: Kind, request: &ListItemsRequest) -> Result<ItemFilter, Fault> {
    let ids = at_most(&request.ids)?;
    Ok(ItemFilter {
        kind,
        section: slug("section", &request.section)?,
        author: slug("author", &request.author)?,
        tag: slug("tag", &request.tag)?,
        category: slug("category", &request.category)?,
        neighbourhood: slug("neighbourhood", &request.neighbourhood)?,
        listing_id: (request.listing_id != 0).then_some(request.listing_id),
        is_free: request.is_free,
        from: at("from", request.from.as_ref())?,
        to: at("to", request.to.as_ref())?,
        ids: (!ids.is_empty()).then(|| ids.to_vec()),
    })
}

fn slug(field: &'static str, text: &str) -> Result<Option<String>, Fault> {
    match text {
        "" => Ok(None),
        text if is_slug(text) => Ok(Some(text.to_owned())),
        text => Err(Fault::unknown_choice(field, text)),
    }
}

fn at(field: &'static str, time: Option<&Timestamp>) -> Result<Option<DateTime<Utc>>, Fault> {
    let Some(time) = time else {
        return Ok(None);
    };
    let at =
        instant::from_proto(time).ok_or_else(|| Fault::unknown_choice(field, &time.to_string()))?;
    Ok(Some(at))
}
