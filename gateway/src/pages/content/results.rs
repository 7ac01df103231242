//! Results of a search (`web/src/features/search/SearchResult.tsx`).

use maud::{Markup, html};
use site::Site;

use super::{card::Look, icons, item_cards, markup::Loading};
use crate::v2::search::found::{Found, Part};

/// The card of a result. The passage that matches replaces the card's sentence; a place's card already has its address.
pub(in crate::pages) fn card(site: &Site, mut found: Found) -> Markup {
    let passage = found
        .replace_sentence()
        .map(|passage| html! { p class="SearchResult_passage" { (marked(&passage)) } });
    let (look, loading) = (Look::Card, Loading::Lazy);
    let card = match &found {
        Found::Listing(one) => item_cards::place(&one.listing.listing, look, loading),
        Found::BestOfList(one) => item_cards::best_of(&one.list, look, loading),
        Found::Article(one) => item_cards::article(site, &one.article, false, look, loading),
        Found::Event(one) => item_cards::event(site, &one.event, loading),
        Found::Video(one) => item_cards::video(site, &one.video, loading),
    };
    html! {
        (card)
        @if let Some(passage) = passage { (passage) }
    }
}

fn marked(passage: &[Part]) -> Markup {
    html! {
        @for Part { text, is_match } in passage {
            @if *is_match { mark { (text) } } @else { (text) }
        }
    }
}

/// A filter that the link removes (`web/src/ui/Chips.tsx`).
pub(in crate::pages) fn filter(label: &str, href: &str) -> Markup {
    html! {
        a href=(href) aria-label={ "Remove the filter " (label) } { (label) (icons::close()) }
    }
}
