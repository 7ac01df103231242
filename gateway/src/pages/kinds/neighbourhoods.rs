//! The list of neighbourhoods, and the page of a neighbourhood's places (`web/src/routes/neighbourhoods.tsx`,
//! `neighbourhood.tsx`).

use chassis::{markup::plain, text::short_text};
use maud::{Markup, html};
use serde_json::{Value, json};
use site::Site;

use super::grids::place_grid;
use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            card::Look,
            head::{deck, head, notice},
            item_cards,
            markup::{Loading, line, link, list_map, sanitised, section_heading},
        },
        meta::Meta,
        opening::{NEWEST, Opening, PageContext},
        schema_org::breadcrumbs,
    },
    v2::{
        listings,
        neighbourhoods::{self, Neighbourhood, NeighbourhoodPortrait},
        resolve,
    },
    words::numbers::grouped,
};

const INDEX: (&str, &str) = ("/neighbourhoods/", "Neighbourhoods");

pub(in crate::pages) fn meta(site: &Site, path: &str) -> Meta {
    let description = format!("The neighbourhoods of {}, with their places.", site.city);
    Meta::page(INDEX.1, path).described(description)
}

pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(neighbourhoods::list_call()).await?;
    Ok(Opening {
        meta: meta(page.site(), page.path),
        content: index(page.site(), &found.results),
        answers: vec![answer],
    })
}

/// Up to this number of neighbourhoods, an index needs no letters.
const MAX_WITHOUT_LETTERS: usize = 30;

/// All neighbourhoods in alphabetical order; by letter if there are many
/// (`web/src/features/listings/NeighbourhoodIndex.tsx`).
fn index(site: &Site, areas: &[Neighbourhood]) -> Markup {
    let city = &site.city;
    let many = grouped(i64::try_from(areas.len()).unwrap_or(i64::MAX));
    let mut areas: Vec<&Neighbourhood> = areas.iter().collect();
    areas.sort_by(|one, other| sort_key(one).cmp(sort_key(other)));
    html! {
        @if areas.is_empty() {
            (head(None, INDEX.1, &deck("")))
            (notice("No neighbourhoods yet", &html! {
                p { "The neighbourhoods of " (city) " have not been added yet. Check back soon." }
            }))
        } @else {
            (head(None, INDEX.1, &deck(&format!("{many} neighbourhoods of {city}, from A to Z."))))
            div class="NeighbourhoodIndex_index" {
                @if areas.len() <= MAX_WITHOUT_LETTERS {
                    (rows(&areas))
                } @else {
                    @for group in areas.chunk_by(|one, next| letter(one) == letter(next)) {
                        @let letter = letter(group[0]);
                        section class="NeighbourhoodIndex_group"
                            aria-labelledby={ "letter-" (letter) } {
                            h2 class="NeighbourhoodIndex_letter" id={ "letter-" (letter) } {
                                (letter)
                            }
                            (rows(group))
                        }
                    }
                }
            }
        }
    }
}

fn rows(areas: &[&Neighbourhood]) -> Markup {
    html! {
        ul {
            @for area in areas {
                li { (line(&area.share_url, &area.name, area.count, ["place", "places"])) }
            }
        }
    }
}

/// Returns the slug, which has no accents, without an article: The Annex is listed under A.
fn sort_key(area: &Neighbourhood) -> &str {
    area.slug.strip_prefix("the-").unwrap_or(&area.slug)
}

fn letter(area: &Neighbourhood) -> char {
    let first = sort_key(area).chars().next();
    let first = first.map(|first| first.to_ascii_uppercase());
    first.filter(char::is_ascii_uppercase).unwrap_or('#')
}

/// Opens a neighbourhood's page of places.
pub(in crate::pages) async fn open_one(
    page: &PageContext<'_>,
    _: i64,
) -> Result<Opening, ApiError> {
    let site = page.site();
    let query = [NEWEST, ("neighbourhood", page.slug())];
    let ((_, resolved), (portrait, drawn), (found, places)) = tokio::try_join!(
        page.get(resolve::call(page.path)),
        page.get(neighbourhoods::portrait_call(page.slug())),
        page.get(listings::list_call(&query)),
    )?;
    let area = &portrait.neighbourhood;
    let text = plain(&portrait.intro);
    let text = short_text(text.trim());
    let kicker = link(INDEX.0, INDEX.1);
    Ok(Opening {
        meta: Meta {
            description: Some(text.unwrap_or_else(|| {
                format!(
                    "Places in {}, {}, with reviews, readers’ ratings, addresses and opening hours.",
                    area.name, site.city
                )
            })),
            structured: structured(site, page.origin(), area),
            ..Meta::page(&area.name, page.path)
        },
        content: place_grid(
            Some(kicker),
            &area.name,
            &found,
            (above(site, &portrait), &portrait.best),
            3,
            false,
        ),
        answers: vec![resolved, drawn, places],
    })
}

/// The content above the grid of all places.
fn above(site: &Site, portrait: &NeighbourhoodPortrait) -> Markup {
    let Neighbourhood { name, count, .. } = &portrait.neighbourhood;
    let count = usize::try_from(*count).unwrap_or_default();
    html! {
        div class="neighbourhood_portrait" {
            @if !portrait.intro.is_empty() {
                div class="neighbourhood_intro" { (sanitised(&portrait.intro)) }
            }
            (list_map(&format!("the places in {name}"), count))
        }
        @if !portrait.best.is_empty() {
            section class="neighbourhood_section" {
                (section_heading(&format!("The best of {name}")))
                ul class="Shelf_shelf Shelf_three" {
                    @for place in &portrait.best {
                        li { (item_cards::place(place, Look::Card, Loading::Lazy)) }
                    }
                }
            }
        }
        @if !portrait.events.is_empty() {
            section class="neighbourhood_section" {
                (section_heading(&format!("Tonight in {name}")))
                div class="neighbourhood_events" {
                    (item_cards::event_lines(site, &portrait.events))
                }
            }
        }
        @if !portrait.articles.is_empty() {
            div class="neighbourhood_section" {
                (item_cards::article_shelf(site, &format!("Stories from {name}"), &portrait.articles))
            }
        }
        div class="neighbourhood_section" { (section_heading("All places")) }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_alphabetical_without_articles() {
        let area = |slug: &str| Neighbourhood {
            id: 1,
            name: slug.to_owned(),
            slug: slug.to_owned(),
            share_url: format!("/neighbourhoods/{slug}/"),
            count: 2,
        };
        let (the_annex, beaches) = (area("the-annex"), area("beaches"));
        assert!(sort_key(&the_annex) < sort_key(&beaches));
        assert_eq!((letter(&the_annex), letter(&beaches)), ('A', 'B'));
        assert_eq!(letter(&area("4-corners")), '#');
    }
}
