//! The room for ads (`web/src/features/ads/AdSpot.tsx`). The application asks for the ads.

use maud::{Markup, html};

use site::{
    Site,
    ads::slot::{AdSlot, PageKind, Screen, Spot},
};

/// The slots of a page's spot, empty, with the heights that they have on each screen.
pub(in crate::pages) fn at(site: &Site, page: PageKind, spot: Spot) -> Markup {
    html! {
        @for slot in site.ads.at(page, spot) { (room(slot, place(page, spot))) }
    }
}

/// The same on the page of an item. Nothing is advertised beside one that has an age limit.
pub(in crate::pages) fn beside(
    site: &Site,
    page: PageKind,
    spot: Spot,
    is_age_restricted: bool,
) -> Markup {
    if is_age_restricted {
        Markup::default()
    } else {
        at(site, page, spot)
    }
}

fn room(slot: &AdSlot, place: &str) -> Markup {
    let [x_small, small, medium, large] = Screen::ALL.map(|screen| slot.height_on(screen));
    html! {
        div class={ "AdSlot_slot " (place) } id=(slot.element_id()) role="group"
            aria-label="Advertisement" data-x-small=[x_small] data-small=[small]
            data-medium=[medium] data-large=[large] {
            p class="AdSlot_label" aria-hidden="true" { "Advertisement" }
            div class="AdSlot_box" {}
        }
    }
}

/// The class for the space around a slot.
fn place(page: PageKind, spot: Spot) -> &'static str {
    match (page, spot) {
        (_, Spot::Side) => "AdSlot_side",
        // The blocks of the home page keep their distance.
        (PageKind::Home, _) => "AdSlot_between",
        _ => "AdSlot_after",
    }
}
