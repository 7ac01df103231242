//! How the front page and sections open: one large, and up to three beside it
//! (`web/src/features/home/Front.tsx`, `web/src/features/articles/SectionFront.tsx`).

use maud::{Markup, html};
use serde_json::Value;

use super::{all, day, list, picture, text};
use crate::site::{HomeBlockKind, Site};

/// What stands beside the first.
const SECONDS: usize = 3;

/// The front page: what its first block shows, and the names of all that comes with it.
pub(super) fn home(site: &Site, first: &Value) -> Markup {
    let items = all(first, "results");
    let block = site.home.first().map(|block| block.kind);
    html! {
        h1 class="visually-hidden" { (site.name) }
        div class="Dateline_line" {
            p { b { (site.city) } }
            p class="Dateline_tagline" { (site.tagline) }
        }
        div class="home_blocks" {
            @match block {
                Some(HomeBlockKind::Lead) => (of_articles(site, items, true)),
                Some(HomeBlockKind::Reviews) => (of_places(items)),
                _ => {},
            }
        }
    }
}

/// A section: the newest of it, and the names of the others.
pub(super) fn section(site: &Site, heading: &str, first: &Value) -> Markup {
    html! {
        (list::counted(None, heading, first, ["article", "articles"]))
        (of_articles(site, all(first, "results"), false))
    }
}

fn of_articles(site: &Site, articles: &[Value], names_section: bool) -> Markup {
    let front = &articles[..articles.len().min(1 + SECONDS)];
    let rest = &articles[front.len()..];
    let one = |article: &Value, look| {
        let tag = all(article, "tags").first().map(|tag| text(tag, "name"));
        let kicker = if names_section {
            text(&article["section"], "name")
        } else {
            tag.unwrap_or_default()
        };
        let meta = day(text(article, "date_published"), site.timezone, true);
        card(article, look, kicker, text(article, "excerpt"), &meta)
    };
    html! {
        @if let Some((lead, seconds)) = front.split_first() {
            div class="SectionFront_front" {
                div class="Front_even" {
                    div { (one(lead, "lead")) }
                    ul class="Front_seconds" {
                        @for second in seconds { li { (one(second, "second")) } }
                    }
                }
            }
        }
        (list::cards(rest))
    }
}

fn of_places(places: &[Value]) -> Markup {
    // What has a picture comes first; what has closed, not at all.
    let open = places.iter().filter(|place| place["is_closed"] != true);
    let (mut shown, without): (Vec<_>, Vec<_>) =
        open.partition(|place| place["image_url"].is_string());
    shown.extend(without);
    let one = |place: &Value, look| {
        let sub_type = text(&place["sub_type"], "name");
        let kicker = if sub_type.is_empty() {
            text(&place["type"], "name_singular")
        } else {
            sub_type
        };
        let area = text(&place["default_neighborhood"], "name");
        card(place, look, kicker, "", area)
    };
    let front = &shown[..shown.len().min(1 + SECONDS)];
    let rest = shown[front.len()..].iter().map(|place| (*place).clone());
    let rest: Vec<_> = rest.collect();
    html! {
        @if let Some((lead, seconds)) = front.split_first() {
            div class="Front_front" {
                div { (one(lead, "lead")) }
                ul class="Front_seconds" {
                    @for second in seconds { li { (one(second, "second")) } }
                }
            }
        }
        (list::cards(&rest))
    }
}

/// `web/src/ui/Card.tsx`.
fn card(of: &Value, look: &str, kicker: &str, deck: &str, meta: &str) -> Markup {
    html! {
        article class={ "Card_card Card_" (look) } {
            div class="Card_picture" { (picture(of)) }
            div class="Card_text" {
                @if !kicker.is_empty() { p class="Card_kicker" { span { (kicker) } } }
                h2 class="Card_name" {
                    a class="Card_link" href=(text(of, "share_url")) { (text(of, "name")) }
                }
                @if !deck.is_empty() { p class="Card_deck" { (deck) } }
                @if !meta.is_empty() { p class="Card_meta" { (meta) } }
            }
        }
    }
}
