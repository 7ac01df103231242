//! The site's own grids: places, events, contests, videos and best-of lists.

use maud::{Markup, html};
use site::Site;

use crate::{
    edge::{answer::Page, error::ApiError},
    pages::{
        content::{
            card::Look,
            grid::{FEW, Grid},
            item_cards,
            markup::Loading,
            opening,
        },
        meta::Meta,
        opening::{NEWEST, Opening, PageContext},
    },
    v2::{
        best_of_lists::{self, BestOfList},
        items::{contests::Contest, events::Event, resource, videos::Video},
        listing::Listing,
        listings::{self, ListedListing},
    },
};

pub(in crate::pages) fn places_meta(site: &Site, path: &str) -> Meta {
    let city = &site.city;
    let description =
        format!("Places in {city}, with reviews, readers’ ratings, addresses and opening hours.");
    Meta::page("Places", path).described(description)
}

pub(in crate::pages) async fn places(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(listings::list_call(&[NEWEST])).await?;
    let title = format!("Places in {}", page.site().city);
    Ok(Opening {
        meta: places_meta(page.site(), page.path),
        content: place_grid(None, &title, &found, (Markup::default(), &[]), 4, false),
        answers: vec![answer],
    })
}

/// A grid of places below further content and its places, with this number of filter choices
/// (`web/src/features/listings/FilteredPlaces.tsx`).
pub(super) fn place_grid(
    kicker: Option<Markup>,
    title: &str,
    found: &Page<ListedListing>,
    (above, places_above): (Markup, &[Listing]),
    choices: usize,
    has_chips: bool,
) -> Markup {
    let places: Vec<_> = found.results.iter().map(|place| &place.listing).collect();
    let lead = opening::lead_of(&places, places_above).filter(|_| found.count > FEW);
    let chips = has_chips.then(|| opening::sub_types(&places));
    let grid = Grid {
        kicker,
        title,
        count: found.count,
        unit: ["place", "places"],
        choices,
        above,
        chips: chips.unwrap_or_default(),
        lead: lead
            .map(|lead| opening::of_list(lead, &places))
            .unwrap_or_default(),
    };
    let others = places
        .iter()
        .filter(|place| lead.is_none_or(|lead| lead.id != place.id));
    let others: Vec<_> = others.collect();
    grid.html(&others, 0, |place, loading| {
        item_cards::place(place, Look::Card, loading)
    })
}

pub(in crate::pages) fn events_meta(site: &Site, path: &str) -> Meta {
    let description = format!("What’s on in {}, by day, from today on.", site.city);
    Meta::page("Events", path).described(description)
}

pub(in crate::pages) async fn events(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let call = resource::list_call::<Event>(&[("ordering", "date_starts")]);
    let (found, answer) = page.get(call).await?;
    let title = format!("What’s on in {}", site.city);
    let grid = Grid {
        kicker: None,
        title: &title,
        count: found.count,
        unit: ["event", "events"],
        // Select fields for day, price and order.
        choices: 3,
        above: Markup::default(),
        chips: Markup::default(),
        lead: Markup::default(),
    };
    Ok(Opening {
        meta: events_meta(site, page.path),
        content: grid.with(
            (!found.results.is_empty())
                .then(|| item_cards::diary(site, &found.results))
                .as_ref(),
        ),
        answers: vec![answer],
    })
}

pub(in crate::pages) fn contests_meta(site: &Site, path: &str) -> Meta {
    let description = format!(
        "Contests that readers of {} can enter, with rules and closing dates.",
        site.name
    );
    Meta::page("Contests", path).described(description)
}

pub(in crate::pages) async fn contests(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let (found, answer) = page.get(resource::list_call::<Contest>(&[NEWEST])).await?;
    let grid = sorted(None, "Contests", found.count, ["contest", "contests"]);
    Ok(Opening {
        meta: contests_meta(site, page.path),
        content: grid.html(&found.results, 0, |contest, loading| {
            item_cards::contest(site, contest, loading)
        }),
        answers: vec![answer],
    })
}

pub(in crate::pages) fn videos_meta(site: &Site, path: &str) -> Meta {
    let description = format!(
        "Short films about {}, its places and its people.",
        site.city
    );
    Meta::page("Videos", path).described(description)
}

pub(in crate::pages) async fn videos(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let (found, answer) = page.get(resource::list_call::<Video>(&[NEWEST])).await?;
    let grid = sorted(None, "Videos", found.count, ["video", "videos"]);
    Ok(Opening {
        meta: videos_meta(site, page.path),
        content: grid.html(&found.results, 0, |video, loading| {
            item_cards::video(site, video, loading)
        }),
        answers: vec![answer],
    })
}

pub(in crate::pages) fn best_of_meta(site: &Site, path: &str) -> Meta {
    let city = &site.city;
    let description = format!(
        "Lists of the best places in {city}, ranked by the editors of {}.",
        site.name
    );
    Meta::page(&format!("The best of {city}"), path).described(description)
}

pub(in crate::pages) async fn best_of(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(best_of_lists::list_call(&[NEWEST])).await?;
    let meta = best_of_meta(page.site(), page.path);
    let title = meta.title.clone().unwrap_or_default();
    let kicker = html! { "Best of" };
    let lead = found.results.first().filter(|_| found.count > FEW);
    let grid = Grid {
        lead: lead.map(lead_list).unwrap_or_default(),
        ..sorted(Some(kicker), &title, found.count, ["list", "lists"])
    };
    let hidden = usize::from(lead.is_some());
    Ok(Opening {
        meta,
        content: grid.html(&found.results, hidden, |list, loading| {
            item_cards::best_of(list, Look::Card, loading)
        }),
        answers: vec![answer],
    })
}

fn lead_list(list: &BestOfList) -> Markup {
    let card = item_cards::best_of(list, Look::Opening, Loading::AtOnce);
    opening::large(&card, None)
}

/// A grid with only sorting and search (`web/src/features/grid/SortedGrid.tsx`).
pub(super) fn sorted<'a>(
    kicker: Option<Markup>,
    title: &'a str,
    count: i64,
    unit: [&'static str; 2],
) -> Grid<'a> {
    Grid {
        kicker,
        title,
        count,
        unit,
        choices: usize::from(!(0..=FEW).contains(&count)),
        above: Markup::default(),
        chips: Markup::default(),
        lead: Markup::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_few_items_has_no_filters() {
        let filters = |count| {
            let grid = sorted(None, "Contests", count, ["contest", "contests"]);
            let html = grid.with(Some(&html! { ul {} })).into_string();
            html.contains("FilterBar")
        };
        assert!(!filters(0) && !filters(4));
        assert!(filters(5) && filters(-1));
    }
}
