//! An article (`web/src/routes/article.tsx`).

use maud::{Markup, html};
use serde_json::{Value, json};
use site::{
    Site,
    ads::slot::{PageKind, Spot},
};

use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            ads,
            item_cards::place_note,
            markup::{Loading, bleed, deck, frame, headline, link, prose, published, story},
            share::share,
        },
        meta::Meta,
        opening::{Opening, PageContext, feed},
        schema_org::{self, breadcrumbs, organization},
    },
    v2::items::{Card, articles::Article, places::sections, resource},
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let site = page.site();
    let (article, answers) = page
        .get_resolved(resource::detail_call::<Article>(id))
        .await?;
    Ok(Opening {
        meta: Meta {
            is_article: true,
            feed: feed(site, Some(&article.section.slug)),
            structured: structured(site, page.origin(), &article),
            ..Meta::item(&article.card, page.path)
        },
        content: content(site, page.origin(), &article),
        answers,
    })
}

/// The response for an age-restricted article contains only its name.
fn content(site: &Site, origin: &str, article: &Article) -> Markup {
    let Article {
        card,
        section,
        body,
        ..
    } = article;
    let kicker = link(&section.share_url, &section.name);
    let ads = |spot| ads::beside(site, PageKind::Article, spot, card.is_age_restricted);
    html! {
        article {
            header class="article_head" {
                div { (headline(&kicker, &card.name, deck(&card.excerpt, body.as_deref()))) }
                div class="article_picture" {
                    (bleed(&frame(card.image_url.as_deref(), Loading::AtOnce)))
                }
            }
            div class="article_columns" {
                div class="article_side" {
                    div class="article_meta" {
                        (byline(card))
                        div class="article_save" data-reserved {}
                        (share(origin, &card.share_url, &card.name))
                    }
                    (ads(Spot::Side))
                }
                div class="article_story" {
                    @if !card.is_age_restricted { (text(article)) }
                    (tags(card))
                }
            }
        }
        (ads(Spot::Lead))
    }
}

/// The text with the cards of places (`web/src/features/articles/ArticleText.tsx`).
fn text(article: &Article) -> Markup {
    let body = article.body.as_deref().unwrap_or_default();
    let place = |id| {
        let mut places = article.listings.iter().flatten();
        places.find(|place| Some(place.id) == id)
    };
    html! {
        @for (index, (html, id)) in sections(body).into_iter().enumerate() {
            @if index == 0 { (story(html)) } @else if !html.is_empty() { (prose(html)) }
            @if let Some(place) = place(id) { (place_note(place)) }
        }
    }
}

fn byline(card: &Card) -> Markup {
    html! {
        div class="Byline_byline" {
            @if !card.authors.is_empty() {
                p {
                    "By "
                    @for (index, author) in card.authors.iter().enumerate() {
                        span {
                            (separator(index, card.authors.len()))
                            a href={ "/archives/?author=" (author.slug) } { (author.name) }
                        }
                    }
                }
            }
            @if let Some(day) = published(card) { p class="Byline_day" { (day) } }
        }
    }
}

fn separator(index: usize, count: usize) -> &'static str {
    match index {
        0 => "",
        last if last + 1 == count => " and ",
        _ => ", ",
    }
}

fn tags(card: &Card) -> Markup {
    html! {
        @if !card.tags.is_empty() {
            nav class="Tags_tags" aria-label="Tags" {
                ul {
                    @for tag in &card.tags {
                        li { a href={ "/archives/?tag=" (tag.slug) } { (tag.name) } }
                    }
                }
            }
        }
    }
}

fn structured(site: &Site, origin: &str, article: &Article) -> Vec<Value> {
    let Article { card, section, .. } = article;
    let mut object = schema_org::card(origin, "NewsArticle", card);
    object["headline"] = json!(card.name);
    object["mainEntityOfPage"] = object["url"].clone();
    object["publisher"] = organization(site, origin);
    object["isAccessibleForFree"] = json!(true);
    if let Some(published) = &card.date_published {
        object["datePublished"] = json!(published);
    }
    let authors = card.authors.iter().map(|author| {
        json!({"@type": "Person", "name": author.name,
            "url": format!("{origin}/archives/?author={}", author.slug)})
    });
    let authors: Vec<_> = authors.collect();
    if !authors.is_empty() {
        object["author"] = Value::Array(authors);
    }
    let steps = [
        (&*section.name, &*section.share_url),
        (&*card.name, &*card.share_url),
    ];
    vec![object, breadcrumbs(site, origin, &steps)]
}
