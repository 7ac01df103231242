//! A best-of list, best place first (`web/src/routes/best-of-list.tsx`).

use maud::{Markup, html};
use serde_json::{Value, json};
use site::Site;

use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            markup::{Loading, frame, headline, link, list_map, sanitised},
            share::share,
            stars,
        },
        meta::Meta,
        opening::{Opening, PageContext},
        schema_org::breadcrumbs,
    },
    v2::best_of_lists::{self, BestOfDetail, BestOfEntry},
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, _: i64) -> Result<Opening, ApiError> {
    let site = page.site();
    let call = best_of_lists::detail_call(page.slug());
    let (detail, answers) = page.get_resolved(call).await?;
    let list = &detail.list;
    Ok(Opening {
        meta: Meta {
            description: Some(format!("{}, from the best down", list.name)),
            structured: structured(site, page.origin(), &detail),
            image: list.image_url.clone(),
            is_article: true,
            ..Meta::page(&list.name, page.path)
        },
        content: content(page, &detail),
        answers,
    })
}

fn content(page: &PageContext<'_>, detail: &BestOfDetail) -> Markup {
    let site = page.site();
    let BestOfDetail { list, entries, .. } = detail;
    let kicker = html! { a href={ "/" (site.city_slug) "/" } { "Best of " (site.city) } };
    html! {
        article {
            header class="best-of-list_head" {
                (headline(&kicker, &list.name, ""))
                @if let Some(day) = &list.published_on { p class="best-of-list_date" { (day) } }
                @if !list.intro.is_empty() {
                    div class="best-of-list_intro" { (sanitised(&list.intro)) }
                }
            }
            div class="best-of-list_columns" {
                ol class="Ranking_ranking" {
                    @for entry in entries { li class="Ranking_entry" { (ranked(entry)) } }
                }
                div class="best-of-list_side" { (map(&list.name, entries)) }
            }
            (share(page.origin(), &list.share_url, &list.name))
        }
    }
}

/// The map of the places.
fn map(name: &str, entries: &[BestOfEntry]) -> Markup {
    let places = entries.iter().map(|entry| &entry.listing);
    let located = places.filter(|place| place.coordinates.is_some());
    list_map(&format!("the places of “{name}”"), located.count())
}

/// An entry of the ranking (`web/src/features/best-of/Ranking.tsx`).
fn ranked(entry: &BestOfEntry) -> Markup {
    let BestOfEntry {
        rank,
        listing,
        text,
    } = entry;
    let sub_type = listing.sub_type.as_ref();
    let kind = sub_type.map_or(&listing.r#type.name_singular, |sub_type| &sub_type.name);
    let area = listing.default_neighborhood.as_ref();
    html! {
        span class="Ranking_rank" aria-hidden="true" { (rank) }
        div { (frame(listing.image_url.as_deref(), Loading::at_once(*rank == 1))) }
        div {
            h2 class="Ranking_name" { (link(&listing.share_url, &listing.name)) }
            p class="Ranking_where" {
                (kind)
                @if let Some(area) = area { " · " (area.name) }
                @if listing.is_closed { " · Closed" }
            }
            (stars::listed(listing))
            @if !text.is_empty() { div class="Ranking_why" { (sanitised(text)) } }
            @if !listing.is_closed { div class="Ranking_controls" data-reserved {} }
        }
    }
}

fn structured(site: &Site, origin: &str, detail: &BestOfDetail) -> Vec<Value> {
    let list = &detail.list;
    let items = detail.entries.iter().map(|entry| {
        json!({"@type": "ListItem", "position": entry.rank, "name": entry.listing.name,
            "url": format!("{origin}{}", entry.listing.share_url)})
    });
    let items: Vec<_> = items.collect();
    let object = json!({"@type": "ItemList", "name": list.name,
        "itemListOrder": "https://schema.org/ItemListOrderAscending",
        "numberOfItems": items.len(), "itemListElement": items});
    let all = format!("/{}/", site.city_slug);
    let best = format!("The best of {}", site.city);
    let steps = [(&*best, &*all), (&*list.name, &*list.share_url)];
    vec![object, breadcrumbs(site, origin, &steps)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::content::stars::tests::{place, words};

    #[test]
    fn an_entry_shows_the_votes_on_its_place() {
        let entry = BestOfEntry {
            rank: 1,
            listing: place(1, Some(4.0), false),
            text: String::new(),
        };
        assert!(words(&ranked(&entry)).ends_with("Rated 4.0 of 5 (12 votes)"));
    }
}
