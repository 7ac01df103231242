//! The front page (`web/src/routes/home.tsx`).

use maud::{Markup, html};
use serde_json::{Value, json};
use site::{
    HomeBlock, HomeBlockKind, Site,
    ads::slot::{PageKind, Spot},
};

use crate::{
    edge::error::ApiError,
    pages::{
        content::{ads, card::Look, head::plain_notice, item_cards, markup::Loading, opening},
        meta::Meta,
        opening::{NEWEST, Opening, PageContext, feed},
        schema_org::organization,
    },
    v2::{
        items::{articles::Article, resource},
        listings,
    },
};

/// Number of opening places on the front page, regardless of its block's limit.
const OPENING_PLACES: usize = 24;
/// Number of articles in the row below the opening.
const ROW: usize = 4;

pub(in crate::pages) fn meta(site: &Site, path: &str) -> Meta {
    Meta {
        description: Some(site.tagline.clone()),
        canonical: Some(path.to_owned()),
        feed: feed(site, None),
        ..Meta::default()
    }
}

/// Opens the page with its first block. The blocks below load their content when the reader scrolls near them.
pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let mut answers = Vec::new();
    let block = match site.home.first() {
        Some(HomeBlock {
            kind: HomeBlockKind::Lead,
            limit,
            ..
        }) => {
            let call = resource::list_call::<Article>(&[("limit", &limit.to_string())]);
            let (found, answer) = page.get(call).await?;
            answers.push(answer);
            articles(site, &found.results)
        }
        Some(HomeBlock {
            kind: HomeBlockKind::Reviews,
            ..
        }) => {
            let limit = OPENING_PLACES.to_string();
            let of = |ordering| listings::list_call(&[("limit", &*limit), ordering]);
            let reviewed = of(("ordering", "-date_reviewed"));
            let (found, answer) = page.get(reviewed).await?;
            answers.push(answer);
            let mut places = found.results;
            // The newest places fill the rest.
            if places.len() < OPENING_PLACES {
                let (newest, answer) = page.get(of(NEWEST)).await?;
                answers.push(answer);
                let known: Vec<i64> = places.iter().map(|place| place.listing.id).collect();
                let others = newest.results.into_iter();
                places.extend(others.filter(|place| !known.contains(&place.listing.id)));
                places.truncate(OPENING_PLACES);
            }
            let places: Vec<_> = places.iter().map(|place| &place.listing).collect();
            if places.is_empty() {
                nothing(site)
            } else {
                opening::of_places(&places)
            }
        }
        _ => Markup::default(),
    };
    Ok(Opening {
        meta: Meta {
            structured: vec![structured(site, page.origin())],
            ..meta(site, page.path)
        },
        content: content(site, &block),
        answers,
    })
}

/// The notice of a site without places (`web/src/features/home/PlacesBlocks.tsx`).
fn nothing(site: &Site) -> Markup {
    plain_notice(
        "Nothing has been published yet",
        &html! { p { "Nothing has been published about " (site.city) " yet. Check back soon." } },
    )
}

/// The opening block of articles. Further articles are in a row below (`web/src/features/home/ArticlesBlocks.tsx`).
fn articles(site: &Site, articles: &[Article]) -> Markup {
    let rest = articles.get(opening::OPENING..).unwrap_or_default();
    let rest = rest.get(..ROW).unwrap_or(rest);
    html! {
        (opening::of_articles(site, articles, false))
        @if !rest.is_empty() {
            ul class="Shelf_shelf" {
                @for article in rest {
                    li { (item_cards::article(site, article, false, Look::Card, Loading::Lazy)) }
                }
            }
        }
    }
}

fn content(site: &Site, block: &Markup) -> Markup {
    html! {
        h1 class="visually-hidden" { (site.name) }
        div class="Dateline_line" {
            p { b { (site.city) } span data-reserved { "\u{a0}" } }
            p class="Dateline_tagline" { (site.tagline) }
            @if site.has("listings") {
                p class="TonightLine_line" { a href="/tonight/" { b { "Tonight" } } }
            }
        }
        div class="home_blocks" {
            (block)
            (ads::at(site, PageKind::Home, Spot::Lead))
        }
    }
}

/// Structured data of the site.
fn structured(site: &Site, origin: &str) -> Value {
    json!({"@type": "WebSite", "name": site.name, "url": format!("{origin}/"),
        "description": site.tagline, "publisher": organization(site, origin)})
}
