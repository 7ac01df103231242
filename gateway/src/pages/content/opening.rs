//! The opening of the front page and of sections: a lead item and up to three items beside it
//! (`web/src/ui/LeadAndSeconds.tsx`).

use maud::{Markup, html};
use site::Site;

use super::{
    card::Look,
    item_cards,
    markup::{Loading, linked_section_heading},
    stars,
};
use crate::v2::{
    items::articles::Article,
    listing::{Listing, NamedLink},
};

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
    let one = |article: &Article, look, loading| {
        item_cards::article(site, article, is_in_its_section, look, loading)
    };
    html! {
        @if let Some((lead, seconds)) = front.split_first() {
            @let lead = one(lead, Look::Cover, Loading::AtOnce);
            @let second = |second| one(second, Look::Second, Loading::Lazy);
            @let seconds: Vec<_> = seconds.iter().map(second).collect();
            div class="ArticlesLead_front" {
                (lead_and_seconds("LeadAndSeconds_even", &lead, &seconds))
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
    html! {
        @if let Some((lead, seconds)) = front.split_first() {
            @let lead = item_cards::place(lead, Look::Cover, Loading::AtOnce);
            @let second = |second: &&Listing| item_cards::place(second, Look::Second, Loading::Lazy);
            @let seconds: Vec<_> = seconds.iter().map(second).collect();
            (lead_and_seconds("LeadAndSeconds_front", &lead, &seconds))
            @if !rest.is_empty() {
                section {
                    (linked_section_heading("Recently reviewed", "/places/", "All places"))
                    ul class="Rows_names" { @for place in rest { li { (name(place)) } } }
                }
            }
        }
    }
}

// Lists of places (`web/src/features/listings/opening.ts` has the same rules).

/// Maximum number of best-of lists.
const LISTS: usize = 4;
/// Maximum number of sub-types.
const SUB_TYPES: usize = 8;

/// The first open place with a picture and a line that is not shown above.
pub(in crate::pages) fn lead_of<'a>(
    places: &[&'a Listing],
    above: &[Listing],
) -> Option<&'a Listing> {
    let is_new = |place: &&&Listing| above.iter().all(|shown| shown.id != place.id);
    let mut places = places.iter().filter(is_new).copied();
    places.find(|place| place.image_url.is_some() && place.line.is_some() && !place.is_closed)
}

/// A large card, with content beside it (`web/src/features/grid/Opening.tsx`).
pub(in crate::pages) fn large(card: &Markup, beside: Option<&Markup>) -> Markup {
    let class = match beside {
        Some(_) => "Opening_opening",
        None => "Opening_opening Opening_alone",
    };
    html! {
        div class=(class) {
            (card)
            @if let Some(beside) = beside { (beside) }
        }
    }
}

/// A best-of list that ranks places of a list.
#[derive(Debug)]
struct RankingList<'a> {
    name: &'a str,
    href: &'a str,
    /// The best rank of the places, and the place that has it.
    rank: i32,
    place: &'a str,
    /// The number of places that the list ranks.
    count: usize,
}

/// The best-of lists that rank places, those that rank most first.
fn lists_of<'a>(places: &[&'a Listing]) -> Vec<RankingList<'a>> {
    let mut lists: Vec<RankingList<'a>> = Vec::new();
    for place in places {
        for ranking in &place.appears_in_best_of_lists {
            let known = lists.iter_mut().find(|list| list.href == ranking.share_url);
            if let Some(list) = known {
                list.count += 1;
                if ranking.rank < list.rank {
                    (list.rank, list.place) = (ranking.rank, &place.name);
                }
            } else {
                lists.push(RankingList {
                    name: &ranking.name,
                    href: &ranking.share_url,
                    rank: ranking.rank,
                    place: &place.name,
                    count: 1,
                });
            }
        }
    }
    lists.sort_by_key(|list| std::cmp::Reverse(list.count));
    lists.truncate(LISTS);
    lists
}

/// The lead of a list of places, and the best-of lists that rank its places
/// (`web/src/features/listings/PlacesOpening.tsx`).
pub(in crate::pages) fn of_list(lead: &Listing, places: &[&Listing]) -> Markup {
    let lists = lists_of(places);
    let start = html! {
        section aria-labelledby="start" {
            div class="SectionHeading_heading" {
                h3 class="SectionHeading_title" id="start" { "Where to start" }
            }
            ul {
                @for list in &lists {
                    li {
                        a class="PlacesOpening_list" href=(list.href) {
                            b { (list.name) }
                            span class="PlacesOpening_best" { "No. " (list.rank) ": " (list.place) }
                        }
                    }
                }
            }
        }
    };
    let card = item_cards::place(lead, Look::Opening, Loading::AtOnce);
    large(&card, (!lists.is_empty()).then_some(&start))
}

/// Links to the sub-types of places, each once (`web/src/ui/Chips.tsx`).
pub(in crate::pages) fn sub_types(places: &[&Listing]) -> Markup {
    let mut links: Vec<&NamedLink> = Vec::new();
    for sub_type in places.iter().filter_map(|place| place.sub_type.as_ref()) {
        if links
            .iter()
            .all(|known| known.share_url != sub_type.share_url)
        {
            links.push(sub_type);
        }
    }
    links.truncate(SUB_TYPES);
    html! {
        @if links.len() > 1 {
            ul class="Chips_chips Chips_line" aria-label="Kinds" {
                @for link in links { li { a href=(link.share_url) { (link.name) } } }
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
    use crate::{
        pages::content::stars::tests::{place, words},
        v2::listing::BestOfRanking,
    };

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

    #[test]
    fn a_front_page_opens_with_a_sentence_over_its_only_picture_of_high_priority() {
        let places = [1, 2, 3].map(|id| {
            let mut place = place(id, None, false);
            place.name = format!("Place {id}");
            place.line = Some(format!("Line {id}."));
            place.image_url = Some("/media/a/whole".to_owned());
            place
        });
        let html = of_places(&places.iter().collect::<Vec<_>>()).0;
        assert_eq!(html.matches("fetchpriority=\"high\"").count(), 1);
        assert_eq!(html.matches("loading=\"lazy\"").count(), 2);
        let (_, lead) = html.split_once("Card_cover").expect("a lead");
        let (before, _) = lead.split_once("Place 1").expect("its name");
        assert!(before.contains("<p class=\"Card_sentence\">Line 1.</p>"));
    }

    #[test]
    fn a_list_opens_with_a_place_and_the_lists_that_rank_its_places() {
        let ranked = |id, rankings: &[(&str, i32)]| {
            let mut place = place(id, None, false);
            place.name = format!("Place {id}");
            place.line = (id > 1).then(|| "A line.".to_owned());
            place.image_url = Some("/media/a/whole".to_owned());
            let rankings = rankings.iter().map(|(slug, rank)| BestOfRanking {
                name: format!("The best {slug}"),
                share_url: format!("/toronto/{slug}/"),
                rank: *rank,
            });
            place.appears_in_best_of_lists = rankings.collect();
            place
        };
        let places = [
            ranked(1, &[("bars", 3)]),
            ranked(2, &[("patios", 2), ("bars", 4)]),
            ranked(3, &[("bars", 1), ("date-night", 9)]),
        ];
        let places: Vec<_> = places.iter().collect();
        let lead = lead_of(&places, &[]).expect("a place with a line");
        assert_eq!(lead.id, 2);
        let other = lead_of(&places, std::slice::from_ref(lead)).expect("another place");
        assert_eq!(other.id, 3);
        let words = words(&of_list(lead, &places));
        let (_, lists) = words.split_once("Where to start").expect("lists");
        let expected = "The best barsNo. 1: Place 3The best patiosNo. 2: Place 2\
                        The best date-nightNo. 9: Place 3";
        assert_eq!(lists, expected);
    }

    #[test]
    fn sub_types_are_linked_once_and_a_single_one_is_not() {
        let of = |slug: &str| {
            let mut place = place(1, None, false);
            place.sub_type = Some(NamedLink {
                name: slug.to_owned(),
                share_url: format!("/bars/?sub_type={slug}"),
            });
            place
        };
        let (wine, dive) = (of("wine"), of("dive"));
        assert_eq!(words(&sub_types(&[&wine, &dive, &wine])), "winedive");
        assert_eq!(words(&sub_types(&[&wine, &wine])), "");
    }
}
