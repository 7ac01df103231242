//! Space for ads (`web/src/features/ads/AdSpot.tsx`). The application loads the ads.

use maud::{Markup, html};

use site::{
    Site,
    ads::slot::{AdSlot, PageKind, Screen, Spot},
};

/// Renders the empty slots of a page's spot, with their heights for each screen.
pub(in crate::pages) fn at(site: &Site, page: PageKind, spot: Spot) -> Markup {
    html! {
        @for slot in site.ads.at(page, spot) { (room(slot, place(page, spot))) }
    }
}

/// Renders the empty slots on an item's page. Age-restricted items have no ads.
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

/// Returns the class for the space around a slot.
fn place(page: PageKind, spot: Spot) -> &'static str {
    match (page, spot) {
        (_, Spot::Side) => "AdSlot_side",
        // Blocks on the home page have their own spacing.
        (PageKind::Home, _) => "AdSlot_between",
        _ => "AdSlot_after",
    }
}
