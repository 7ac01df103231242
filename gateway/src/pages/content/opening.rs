//! The opening of the front page and of sections: a lead item and up to three items beside it
//! (`web/src/ui/LeadAndSeconds.tsx`).

use maud::{Markup, html};
use site::Site;

use super::{card::Look, item_cards, markup::Loading, stars};
use crate::v2::{items::articles::Article, listing::Listing};

/// Maximum number of items beside the lead.
const SECONDS: usize = 3;
/// Maximum number of names below the opening places (`web/src/features/home/PlacesBlocks.tsx`).
const NAMES: usize = 12;

/// Number of articles at the top of a section or of the front page.
pub(in crate::pages) const OPENING: usize = 1 + SECONDS;

fn lead_and_seconds(class: &str, lead: &Markup, seconds: &[Markup]) -> Markup {
    html! {
        div class=(class) {
            div { (lead) }
            @if !seconds.is_empty() {
                ul class="LeadAndSeconds_seconds" { @for second in seconds { li { (second) } } }
            }
        }
    }
}

/// The first articles (`web/src/features/articles/ArticlesLead.tsx`).
pub(in crate::pages) fn of_articles(
    site: &Site,
    articles: &[Article],
    is_in_its_section: bool,
) -> Markup {
    let front = articles.get(..OPENING).unwrap_or(articles);
    let one = |article: &Article, look| {
        item_cards::article(site, article, is_in_its_section, look, Loading::AtOnce)
    };
    html! {
        @if let Some((lead, seconds)) = front.split_first() {
            @let seconds: Vec<_> = seconds.iter().map(|second| one(second, Look::Second)).collect();
            div class="ArticlesLead_front" {
                (lead_and_seconds("LeadAndSeconds_even", &one(lead, Look::Lead), &seconds))
            }
        }
    }
}

/// Open places, places with a picture first, followed by the names of the others.
pub(in crate::pages) fn of_places(places: &[&Listing]) -> Markup {
    let open = places.iter().filter(|place| !place.is_closed);
    let (mut front, without): (Vec<&Listing>, Vec<_>) =
        open.partition(|place| place.image_url.is_some());
    front.extend(without);
    front.truncate(OPENING);
    let rest = places
        .iter()
        .filter(|place| front.iter().all(|shown| shown.id != place.id));
    let rest: Vec<_> = rest.take(NAMES).collect();
    let one = |place: &Listing, look| item_cards::place(place, look, Loading::AtOnce);
    html! {
        @if let Some((lead, seconds)) = front.split_first() {
            @let seconds: Vec<_> = seconds.iter().map(|second| one(second, Look::Second)).collect();
            (lead_and_seconds("LeadAndSeconds_front", &one(lead, Look::Lead), &seconds))
            @if !rest.is_empty() {
                section {
                    div class="SectionHeading_heading" {
                        h2 class="SectionHeading_title" { "Recently reviewed" }
                        div class="SectionHeading_aside" { a href="/places/" { "All places" } }
                    }
                    ul class="Rows_names" { @for place in rest { li { (name(place)) } } }
                }
            }
        }
    }
}

/// A place in the list of names (`web/src/features/listings/PlaceRows.tsx`).
fn name(place: &Listing) -> Markup {
    let sub_type = place.sub_type.as_ref();
    let kind = sub_type.map_or(&place.r#type.name_singular, |sub_type| &sub_type.name);
    let area = place.default_neighborhood.as_ref();
    html! {
        a href=(place.share_url) {
            b { (place.name) }
            span { (kind) @if let Some(area) = area { " · " (area.name) } }
            (stars::listed(place))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::content::stars::tests::{place, words};

    #[test]
    fn cards_and_names_of_open_places_show_their_votes() {
        let votes = [Some(4.0), None, Some(4.0), None, Some(3.0), None];
        let mut places: Vec<_> = (1..)
            .zip(votes)
            .map(|(id, mean)| place(id, mean, false))
            .collect();
        places.push(place(7, Some(2.0), true));
        let words = words(&of_places(&places.iter().collect::<Vec<_>>()));
        let (cards, names) = words.split_once("Recently reviewed").expect("names");
        let count = |text: &str, mean: &str| text.matches(&format!("Rated {mean}")).count();
        assert_eq!((count(cards, "4.0"), count(cards, "")), (2, 2));
        assert_eq!((count(names, "3.0"), count(names, "")), (1, 1));
    }
}
