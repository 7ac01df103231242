//! The site's own grids: places, events, contests, videos and best-of lists.

use maud::{Markup, html};

use crate::{
    edge::{answer::Page, error::ApiError},
    pages::{
        content::cards::{self, Listed},
        first_answers::FirstAnswer,
        meta::Meta,
        opening::{NEWEST, Opening, PageContext},
    },
    site::Site,
    v2::{
        best_of_lists,
        items::{Card, contests::Contest, events::Event, resource, videos::Video},
        listings::{self, ListedListing},
    },
};

/// The unit of grids of places.
pub(in crate::pages) const PLACES: [&str; 2] = ["place", "places"];

pub(in crate::pages) fn places_meta(_: &Site, path: &str) -> Meta {
    Meta::page("Places", path)
}

pub(in crate::pages) async fn places(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(listings::list_call(&[NEWEST])).await?;
    let heading = format!("Places in {}", page.site().city);
    let meta = places_meta(page.site(), page.path);
    let items = listed_places(&found);
    Ok(grid(
        meta,
        None,
        &heading,
        found.count,
        PLACES,
        items,
        answer,
    ))
}

pub(in crate::pages) fn events_meta(_: &Site, path: &str) -> Meta {
    Meta::page("Events", path)
}

pub(in crate::pages) async fn events(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let call = resource::list_call::<Event>(&[("ordering", "date_starts")]);
    let (found, answer) = page.get(call).await?;
    let heading = format!("What’s on in {}", page.site().city);
    let meta = events_meta(page.site(), page.path);
    let unit = ["event", "events"];
    let items = listed(&found, |event| &event.card);
    Ok(grid(meta, None, &heading, found.count, unit, items, answer))
}

pub(in crate::pages) fn contests_meta(_: &Site, path: &str) -> Meta {
    Meta::page("Contests", path)
}

pub(in crate::pages) async fn contests(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(resource::list_call::<Contest>(&[NEWEST])).await?;
    let meta = contests_meta(page.site(), page.path);
    let unit = ["contest", "contests"];
    let items = listed(&found, |contest| &contest.card);
    Ok(grid(
        meta,
        None,
        "Contests",
        found.count,
        unit,
        items,
        answer,
    ))
}

pub(in crate::pages) fn videos_meta(_: &Site, path: &str) -> Meta {
    Meta::page("Videos", path)
}

pub(in crate::pages) async fn videos(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(resource::list_call::<Video>(&[NEWEST])).await?;
    let meta = videos_meta(page.site(), page.path);
    let unit = ["video", "videos"];
    let items = listed(&found, |video| &video.card);
    Ok(grid(meta, None, "Videos", found.count, unit, items, answer))
}

pub(in crate::pages) fn best_of_meta(site: &Site, path: &str) -> Meta {
    Meta::page(&format!("The best of {}", site.city), path)
}

pub(in crate::pages) async fn best_of(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(best_of_lists::list_call(&[NEWEST])).await?;
    let meta = best_of_meta(page.site(), page.path);
    let kicker = html! { "Best of" };
    let heading = meta.title.clone().unwrap_or_default();
    let unit = ["list", "lists"];
    let items = found.results.iter();
    let items = items.map(|list| (&*list.share_url, &*list.name));
    let count = found.count;
    Ok(grid(
        meta,
        Some(&kicker),
        &heading,
        count,
        unit,
        items,
        answer,
    ))
}

/// The places of a page.
pub(super) fn listed_places(page: &Page<ListedListing>) -> impl Iterator<Item = Listed<'_>> {
    let places = page.results.iter().map(|place| &place.listing);
    places.map(|place| (&*place.share_url, &*place.name))
}

fn listed<T>(page: &Page<T>, card: fn(&T) -> &Card) -> impl Iterator<Item = Listed<'_>> {
    let cards = page.results.iter().map(card);
    cards.map(|card| (&*card.share_url, &*card.name))
}

fn grid<'a>(
    meta: Meta,
    kicker: Option<&Markup>,
    heading: &str,
    count: i64,
    unit: [&str; 2],
    items: impl IntoIterator<Item = Listed<'a>>,
    answer: FirstAnswer,
) -> Opening {
    Opening {
        meta,
        content: cards::grid(kicker, heading, count, unit, items),
        answers: vec![answer],
    }
}
