//! Page heads, grids of cards, and texts.

use maud::{Markup, html};

use super::markup::sanitised;

/// Something that a grid lists: its address and name.
pub(in crate::pages) type Listed<'a> = (&'a str, &'a str);

/// A page with a heading, whose content needs scripts.
pub(in crate::pages) fn title(heading: &str) -> Markup {
    head(None, heading, &html! { p class="PageHead_deck" {} })
}

/// A page with a heading and a text: an event, contest, video or static page. The answer for an age-restricted
/// item has a name only.
pub(in crate::pages) fn text(name: &str, excerpt: &str, body: &str) -> Markup {
    html! {
        (head(None, name, &html! { p class="PageHead_deck" { (excerpt) } }))
        div class="Prose_prose" { (sanitised(body)) }
    }
}

/// A page with a grid of cards (`web/src/features/grid/GridPage.tsx`). `unit` is what it counts, in the
/// singular and the plural; a negative count is unknown.
pub(in crate::pages) fn grid<'a>(
    kicker: Option<&Markup>,
    heading: &str,
    count: i64,
    unit: [&str; 2],
    items: impl IntoIterator<Item = Listed<'a>>,
) -> Markup {
    html! {
        (counted(kicker, heading, count, unit))
        (cards(items))
    }
}

/// The head of a grid.
pub(in crate::pages) fn counted(
    kicker: Option<&Markup>,
    heading: &str,
    count: i64,
    [one, many]: [&str; 2],
) -> Markup {
    let below = html! {
        p class="GridPage_count" {
            @if count >= 0 { (count) " " (if count == 1 { one } else { many }) }
        }
    };
    head(kicker, heading, &below)
}

/// `web/src/ui/PageHead.tsx`.
fn head(kicker: Option<&Markup>, heading: &str, below: &Markup) -> Markup {
    html! {
        header class="PageHead_head" {
            @if let Some(kicker) = kicker { p class="Kicker_kicker" { (kicker) } }
            h1 class="PageHead_title" { (heading) }
            (below)
        }
    }
}

/// Cards without their pictures: scripts load those that are near.
pub(in crate::pages) fn cards<'a>(items: impl IntoIterator<Item = Listed<'a>>) -> Markup {
    html! {
        ul class="Grid_grid" {
            @for (href, name) in items {
                li {
                    article class="Card_card" {
                        div class="Card_text" {
                            h2 class="Card_name" { a class="Card_link" href=(href) { (name) } }
                        }
                    }
                }
            }
        }
    }
}
