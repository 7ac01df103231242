//! The places of a type (`web/src/routes/listing-type.tsx`).

use maud::html;

use super::grids::place_grid;
use crate::{
    edge::error::ApiError,
    pages::{
        meta::Meta,
        opening::{NEWEST, Opening, PageContext},
        schema_org::breadcrumbs,
    },
    v2::{listing_types, listings, resolve},
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let site = page.site();
    let query = [NEWEST, ("type", page.slug())];
    let ((_, resolved), (types, all), (found, places)) = tokio::try_join!(
        page.get(resolve::call(page.path)),
        page.get(listing_types::list_call()),
        page.get(listings::list_call(&query)),
    )?;
    let kind = types.results.iter().find(|kind| kind.id == id);
    let kind = kind.ok_or_else(ApiError::not_found)?;
    let steps = [("Places", "/places/"), (&*kind.name, page.path)];
    let kicker = html! { (site.city) };
    Ok(Opening {
        meta: Meta {
            description: Some(format!("{} in {}", kind.name, site.city)),
            structured: vec![breadcrumbs(site, page.origin(), &steps)],
            ..Meta::page(&kind.name, page.path)
        },
        content: place_grid(Some(kicker), &kind.name, found.count, &found.results, 2),
        answers: vec![resolved, all, places],
    })
}
