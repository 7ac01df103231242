//! An article (`web/src/routes/article.tsx`).

use maud::{Markup, html};
use serde_json::Value;

use super::{all, bleed, day, headline, link, sanitised, text};
use crate::site::Site;

/// Of an age-restricted one the answer has a name and nothing else.
pub(super) fn article(site: &Site, article: &Value) -> Markup {
    let excerpt = text(article, "excerpt");
    html! {
        article {
            header class="article_head" {
                div {
                    (headline(&link(&article["section"]), text(article, "name"), excerpt))
                }
                div { (bleed(article)) }
            }
            div class="article_columns" {
                div class="article_side" {
                    (byline(site, article))
                    (share(article))
                }
                div class="article_story" {
                    div class="Prose_prose Prose_opening" { (sanitised(text(article, "body"))) }
                    (tags(article))
                }
            }
        }
    }
}

fn byline(site: &Site, article: &Value) -> Markup {
    let authors = all(article, "authors");
    let published = text(article, "date_published");
    html! {
        div class="Byline_byline" {
            @if !authors.is_empty() {
                p {
                    "By "
                    @for (index, author) in authors.iter().enumerate() {
                        (separator(index, authors.len()))
                        a href={ "/archives/?author=" (text(author, "slug")) } { (text(author, "name")) }
                    }
                }
            }
            p class="Byline_day" {
                time datetime=(published) { (day(published, site.timezone, false)) }
            }
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

/// The room of the links to share it: what they lead to, scripts add.
fn share(article: &Value) -> Markup {
    let path = text(article, "share_url");
    html! {
        ul class="ShareLinks_links" aria-hidden="true" {
            @for service in ["Facebook", "X"] {
                li { a href=(path) tabindex="-1" { (service) } }
            }
        }
    }
}

fn tags(article: &Value) -> Markup {
    let tags = all(article, "tags");
    html! {
        @if !tags.is_empty() {
            nav class="Tags_tags" aria-label="Tags" {
                ul {
                    @for tag in tags {
                        li { a href={ "/archives/?tag=" (text(tag, "slug")) } { (text(tag, "name")) } }
                    }
                }
            }
        }
    }
}
