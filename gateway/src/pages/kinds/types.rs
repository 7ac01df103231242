//! The places of a type (`web/src/routes/listing-type.tsx`).

use maud::{Markup, html};

use super::grids::place_grid;
use crate::{
    edge::error::ApiError,
    pages::{
        content::head::head,
        meta::Meta,
        opening::{NEWEST, Opening, PageContext},
        schema_org::breadcrumbs,
    },
    v2::{listing_types, listings, resolve},
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let site = page.site();
    let query = [NEWEST, ("type", page.slug())];
    let ((_, resolved), (types, all)) = tokio::try_join!(
        page.get(resolve::call(page.path)),
        page.get(listing_types::list_call()),
    )?;
    let kind = types.results.iter().find(|kind| kind.id == id);
    let kind = kind.ok_or_else(ApiError::not_found)?;
    let kicker = html! { (site.city) };
    let description = format!(
        "{} in {}, with reviews, readers’ ratings, addresses and opening hours.",
        kind.name, site.city
    );
    let meta = Meta::page(&kind.name, page.path).described(description);
    // The application asks for the reader's age before it lists age-restricted places.
    if kind.is_age_restricted {
        return Ok(Opening {
            meta,
            content: head(Some(&kicker), &kind.name, &Markup::default()),
            answers: vec![resolved, all],
        });
    }
    let (found, places) = page.get(listings::list_call(&query)).await?;
    let steps = [("Places", "/places/"), (&*kind.name, page.path)];
    Ok(Opening {
        meta: Meta {
            structured: vec![breadcrumbs(site, page.origin(), &steps)],
            ..meta
        },
        content: place_grid(
            Some(kicker),
            &kind.name,
            &found,
            (Markup::default(), &[]),
            3,
            true,
        ),
        answers: vec![resolved, all, places],
    })
}
