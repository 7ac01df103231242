//! Pages of lists, and the readable least of all others.

use maud::{Markup, html};
use serde_json::Value;

use super::{all, headline, link, sanitised, text};
use crate::site::Site;

pub(super) fn grid(heading: &str, first: &Value, unit: [&str; 2]) -> Markup {
    html! {
        (head(heading, first, unit))
        (cards(all(first, "results")))
    }
}

pub(super) fn index(heading: &str, first: &Value) -> Markup {
    html! {
        header class="PageHead_head" { h1 class="PageHead_title" { (heading) } }
        ul {
            @for one in all(first, "results") { li { (link(one)) } }
        }
    }
}

pub(super) fn title(heading: &str) -> Markup {
    html! {
        header class="PageHead_head" { h1 class="PageHead_title" { (heading) } }
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
        header class="PageHead_head" {
            h1 class="PageHead_title" { (text(item, "name")) }
            p class="PageHead_deck" { (text(item, "excerpt")) }
        }
        div class="Prose_prose" { (sanitised(text(item, "body"))) }
    }
}

/// The head of a grid (`web/src/features/grid/GridPage.tsx`); `unit` is what it counts, one and many.
pub(super) fn head(heading: &str, first: &Value, [one, many]: [&str; 2]) -> Markup {
    let count = first["count"].as_i64().filter(|count| *count >= 0);
    html! {
        header class="GridPage_head" {
            h1 class="GridPage_title" { (heading) }
            p class="GridPage_count" {
                @if let Some(count) = count { (count) " " (if count == 1 { one } else { many }) }
            }
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
