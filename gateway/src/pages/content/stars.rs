//! Rating stars (`web/src/ui/Stars.tsx`).

use maud::{Markup, html};

use crate::{v2::listing::Listing, words::numbers::grouped};

const STAR: &str = "★";
const STARS: u8 = 5;

/// A mean of votes as stars, rounded to halves, and as numbers.
pub(in crate::pages) fn stars(rating: f64, voters: i64) -> Markup {
    render(rating, voters, false)
}

/// A place's mean rating on a card or in a list: nothing for a closed place, or without votes
/// (`web/src/features/listings/ListedStars.tsx`).
pub(in crate::pages) fn listed(place: &Listing) -> Markup {
    match place.rating {
        Some(rating) if !place.is_closed => render(rating, place.voters, true),
        _ => Markup::default(),
    }
}

fn render(rating: f64, voters: i64, is_small: bool) -> Markup {
    let halves = (rating * 2.0).round();
    let is_full = |star: &u8| f64::from(*star) * 2.0 <= halves;
    let full = (1..=STARS).filter(is_full).count();
    let has_half = halves % 2.0 > 0.5;
    html! {
        span class={ "Stars_rating" @if is_small { " Stars_small" } } {
            span class="Stars_stars" aria-hidden="true" {
                span class={ "Stars_full" @if has_half { " Stars_half" } } { (STAR.repeat(full)) }
                (STAR.repeat(STARS.into()))
            }
            span {
                span class="visually-hidden" { "Rated " }
                // The application rounds in the same way; the format alone would round 4.25 down.
                (format!("{:.1}", (rating * 10.0).round() / 10.0))
                span class="visually-hidden" { " of " (STARS) }
                span class="Stars_votes" {
                    " (" (grouped(voters))
                    span class=[is_small.then_some("visually-hidden")] {
                        (if voters == 1 { " vote" } else { " votes" })
                    }
                    ")"
                }
            }
        }
    }
}

#[cfg(test)]
pub(in crate::pages) mod tests {
    use serde_json::json;

    use super::*;

    pub(in crate::pages) fn words(markup: &Markup) -> String {
        let tags = markup.0.split('<').filter_map(|part| part.split_once('>'));
        tags.map(|(_, text)| text).collect()
    }

    pub(in crate::pages) fn place(id: i64, rating: Option<f64>, is_closed: bool) -> Listing {
        serde_json::from_value(json!({
            "id": id, "name": "The Loop", "share_url": "/cafes/the-loop/", "is_closed": is_closed,
            "type": {"id": 3, "name": "Cafés", "name_singular": "Café", "share_url": "/cafes/",
                "is_food": true, "is_age_restricted": false},
            "appears_in_best_of_lists": [], "rating": rating, "voters": 12,
        }))
        .expect("a place")
    }

    #[test]
    fn a_mean_is_rounded_as_in_the_application() {
        for (mean, words_expected, has_half) in [
            (4.25, "★★★★★★★★★Rated 4.3 of 5 (12 votes)", true),
            (4.35, "★★★★★★★★★Rated 4.4 of 5 (12 votes)", true),
            (4.2, "★★★★★★★★★Rated 4.2 of 5 (12 votes)", false),
            (5.0, "★★★★★★★★★★Rated 5.0 of 5 (12 votes)", false),
        ] {
            let markup = stars(mean, 12);
            assert_eq!(words(&markup), words_expected, "{mean}");
            assert_eq!(markup.0.contains("Stars_half"), has_half, "{mean}");
        }
        assert!(words(&stars(1.0, 1)).ends_with("Rated 1.0 of 5 (1 vote)"));
    }

    #[test]
    fn a_listed_place_has_stars_if_it_is_open_and_has_votes() {
        assert!(words(&listed(&place(1, Some(4.0), false))).ends_with("Rated 4.0 of 5 (12 votes)"));
        assert_eq!(listed(&place(1, Some(4.0), true)).0, "");
        assert_eq!(listed(&place(1, None, false)).0, "");
    }
}
