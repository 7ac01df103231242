//! The neighbourhoods, and the places of one (`web/src/routes/neighbourhoods.tsx`, `neighbourhood.tsx`).

use maud::html;
use serde_json::{Value, json};

use super::grids::{PLACES, listed_places};
use crate::{
    edge::error::ApiError,
    pages::{
        content::{cards, markup::link},
        meta::Meta,
        opening::{NEWEST, Opening, PageContext},
        schema_org::breadcrumbs,
    },
    site::Site,
    v2::{
        listings,
        neighbourhoods::{self, Neighbourhood},
        resolve,
    },
};

const INDEX: (&str, &str) = ("/neighbourhoods/", "Neighbourhoods");

pub(in crate::pages) fn meta(_: &Site, path: &str) -> Meta {
    Meta::page(INDEX.1, path)
}

pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(neighbourhoods::list_call()).await?;
    let content = html! {
        (cards::title(INDEX.1))
        ul {
            @for area in &found.results { li { (link(&area.share_url, &area.name)) } }
        }
    };
    Ok(Opening {
        meta: meta(page.site(), page.path),
        content,
        answers: vec![answer],
    })
}

/// The places of a neighbourhood.
pub(in crate::pages) async fn open_one(
    page: &PageContext<'_>,
    _: i64,
) -> Result<Opening, ApiError> {
    let site = page.site();
    let query = [NEWEST, ("neighbourhood", page.slug())];
    let ((_, resolved), (areas, all), (found, places)) = tokio::try_join!(
        page.get(resolve::call(page.path)),
        page.get(neighbourhoods::list_call()),
        page.get(listings::list_call(&query)),
    )?;
    let area = areas.results.iter().find(|area| area.slug == page.slug());
    let area = area.ok_or_else(ApiError::not_found)?;
    let kicker = link(INDEX.0, INDEX.1);
    let items = listed_places(&found);
    Ok(Opening {
        meta: Meta {
            description: Some(format!("Places in {}, {}", area.name, site.city)),
            structured: structured(site, page.origin(), area),
            ..Meta::page(&area.name, page.path)
        },
        content: cards::grid(Some(&kicker), &area.name, found.count, PLACES, items),
        answers: vec![resolved, all, places],
    })
}

fn structured(site: &Site, origin: &str, area: &Neighbourhood) -> Vec<Value> {
    let Neighbourhood {
        name, share_url, ..
    } = area;
    let object = json!({"@type": "Place", "name": name, "url": format!("{origin}{share_url}"),
        "containedInPlace": {"@type": "City", "name": site.city}});
    let steps = [(INDEX.1, INDEX.0), (name, share_url)];
    vec![object, breadcrumbs(site, origin, &steps)]
}
