//! The opening of the front page and of sections: a large item, and up to three beside it
//! (`web/src/features/home/Front.tsx`, `web/src/features/articles/SectionFront.tsx`).

use maud::{Markup, html};

use super::{
    cards,
    markup::{day, picture},
};
use crate::{
    site::Site,
    v2::{items::articles::Article, listing::Listing, listings::ListedListing},
};

/// Items beside the large one.
const SECONDS: usize = 3;

/// The content of a card.
struct Card<'a> {
    href: &'a str,
    name: &'a str,
    image: Option<&'a str>,
    kicker: &'a str,
    deck: &'a str,
    meta: String,
}

/// Articles, the newest first. On the front page each names its section, in a section its first tag.
pub(in crate::pages) fn of_articles(
    site: &Site,
    articles: &[Article],
    names_section: bool,
) -> Markup {
    let (front, rest) = articles.split_at(articles.len().min(1 + SECONDS));
    let one = |article: &Article, look| {
        let item = &article.card;
        let published = item.date_published.as_deref().unwrap_or_default();
        let kicker = if names_section {
            &article.section.name
        } else {
            item.tags.first().map_or("", |tag| &tag.name)
        };
        let content = Card {
            href: &item.share_url,
            name: &item.name,
            image: item.image_url.as_deref(),
            kicker,
            deck: &item.excerpt,
            meta: day(published, site.timezone, true),
        };
        card(&content, look)
    };
    let rest = rest.iter().map(|article| &article.card);
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
        (cards::cards(rest.map(|item| (&*item.share_url, &*item.name))))
    }
}

/// Places that are open, those with a picture first.
pub(in crate::pages) fn of_places(places: &[ListedListing]) -> Markup {
    let open = places.iter().map(|place| &place.listing);
    let open = open.filter(|place| !place.is_closed);
    let (mut shown, without): (Vec<_>, Vec<_>) = open.partition(|place| place.image_url.is_some());
    shown.extend(without);
    let one = |place: &Listing, look| {
        let sub_type = place.sub_type.as_ref();
        let area = place.default_neighborhood.as_ref();
        let content = Card {
            href: &place.share_url,
            name: &place.name,
            image: place.image_url.as_deref(),
            kicker: sub_type.map_or(&place.r#type.name_singular, |sub_type| &sub_type.name),
            deck: "",
            meta: area.map_or_else(String::new, |area| area.name.clone()),
        };
        card(&content, look)
    };
    let (front, rest) = shown.split_at(shown.len().min(1 + SECONDS));
    html! {
        @if let Some((lead, seconds)) = front.split_first() {
            div class="Front_front" {
                div { (one(lead, "lead")) }
                ul class="Front_seconds" {
                    @for second in seconds { li { (one(second, "second")) } }
                }
            }
        }
        (cards::cards(rest.iter().map(|place| (&*place.share_url, &*place.name))))
    }
}

/// `web/src/ui/Card.tsx`.
fn card(content: &Card<'_>, look: &str) -> Markup {
    let Card {
        href,
        name,
        image,
        kicker,
        deck,
        meta,
    } = content;
    html! {
        article class={ "Card_card Card_" (look) } {
            div class="Card_picture" { (picture(*image)) }
            div class="Card_text" {
                @if !kicker.is_empty() { p class="Card_kicker" { span { (kicker) } } }
                h2 class="Card_name" { a class="Card_link" href=(href) { (name) } }
                @if !deck.is_empty() { p class="Card_deck" { (deck) } }
                @if !meta.is_empty() { p class="Card_meta" { (meta) } }
            }
        }
    }
}
