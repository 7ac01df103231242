//! Icons (`web/src/ui/icons.tsx`).

use maud::{Markup, html};

/// The icon of a link that adds an event to a calendar.
pub(in crate::pages) fn calendar() -> Markup {
    icon(
        None,
        "none",
        "M4 6.500h16V20H4zM4 10.500h16M8.200 3.500v5M15.800 3.500v5M12 13v4.500M9.700 15.200h4.600",
    )
}

/// The icon of a link that removes a filter.
pub(in crate::pages) fn close() -> Markup {
    icon(None, "none", "M6 6l12 12M18 6L6 18")
}

/// The icon of a video, with a class of its component.
pub(in crate::pages) fn play(class: &str) -> Markup {
    icon(Some(class), "currentColor", "M8 5.200l11 6.800-11 6.800z")
}

fn icon(class: Option<&str>, fill: &str, path: &str) -> Markup {
    html! {
        svg viewBox="0 0 24 24" width="24" height="24" fill=(fill) stroke="currentColor"
            stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"
            class=[class] {
            path d=(path) {}
        }
    }
}
