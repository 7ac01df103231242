//! Pages of lists, and the readable least of all others.

use maud::{Markup, html};
use serde_json::Value;

use super::{Above, all, headline, link, sanitised, text};
use crate::site::Site;

pub(super) fn grid(
    site: &Site,
    above: Above,
    heading: &str,
    first: &Value,
    unit: [&str; 2],
) -> Markup {
    let kicker = match above {
        Above::Nothing => None,
        Above::City => Some(html! { (site.city) }),
        Above::Words(words) => Some(html! { (words) }),
        Above::Link { href, label } => Some(html! { a href=(href) { (label) } }),
    };
    html! {
        (counted(kicker.as_ref(), heading, first, unit))
        (cards(all(first, "results")))
    }
}

pub(super) fn index(heading: &str, first: &Value) -> Markup {
    html! {
        (title(heading))
        ul {
            @for one in all(first, "results") { li { (link(one)) } }
        }
    }
}

pub(super) fn title(heading: &str) -> Markup {
    html! {
        (head(None, heading, &html! { p class="PageHead_deck" {} }))
    }
}

/// A best-of list, the best first.
pub(super) fn ranking(site: &Site, list: &Value) -> Markup {
    html! {
        article {
            header class="best-of-list_head" {
                (headline(&html! {
                    a href={ "/" (site.city_slug) "/" } { "Best of " (site.city) }
                }, text(list, "name"), ""))
                div class="best-of-list_intro" { (sanitised(text(list, "intro"))) }
            }
            ol {
                @for entry in all(list, "entries") {
                    li {
                        h2 { (link(&entry["listing"])) }
                        div class="Prose_prose" { (sanitised(text(entry, "text"))) }
                    }
                }
            }
        }
    }
}

/// Of an age-restricted item the answer has a name and nothing else.
pub(super) fn item(item: &Value) -> Markup {
    html! {
        (head(None, text(item, "name"), &html! { p class="PageHead_deck" { (text(item, "excerpt")) } }))
        div class="Prose_prose" { (sanitised(text(item, "body"))) }
    }
}

/// The head of a grid (`web/src/features/grid/GridPage.tsx`); `unit` is what it counts, one and many.
pub(super) fn counted(
    kicker: Option<&Markup>,
    heading: &str,
    first: &Value,
    [one, many]: [&str; 2],
) -> Markup {
    let count = first["count"].as_i64().filter(|count| *count >= 0);
    let below = html! {
        p class="GridPage_count" {
            @if let Some(count) = count { (count) " " (if count == 1 { one } else { many }) }
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

/// Cards without their pictures, which are not fetched before it is known which are near.
pub(super) fn cards(items: &[Value]) -> Markup {
    html! {
        ul class="Grid_grid" {
            @for item in items {
                li {
                    article class="Card_card" {
                        div class="Card_text" {
                            h2 class="Card_name" {
                                a class="Card_link" href=(text(item, "share_url")) { (text(item, "name")) }
                            }
                        }
                    }
                }
            }
        }
    }
}
