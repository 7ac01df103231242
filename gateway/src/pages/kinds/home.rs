//! The front page (`web/src/routes/home.tsx`).

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::{
    edge::error::ApiError,
    pages::{
        content::front,
        meta::Meta,
        opening::{NEWEST, Opening, PageContext, feed},
        schema_org::organization,
    },
    site::{HomeBlock, HomeBlockKind, Site},
    v2::{
        items::{articles::Article, resource},
        listings,
    },
};

/// Places that the front page opens with, whatever its block's limit.
const OPENING_PLACES: usize = 24;

pub(in crate::pages) fn meta(site: &Site, path: &str) -> Meta {
    Meta {
        description: Some(site.tagline.clone()),
        canonical: Some(path.to_owned()),
        feed: feed(site, None),
        ..Meta::default()
    }
}

/// The first block; the blocks below request their content when they come near.
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
            front::of_articles(site, &found.results, true)
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
            // The application fills up with the newest places.
            if !found.results.is_empty() && found.results.len() != OPENING_PLACES {
                answers.push(page.get(of(NEWEST)).await?.1);
            }
            front::of_places(&found.results)
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

fn content(site: &Site, block: &Markup) -> Markup {
    html! {
        h1 class="visually-hidden" { (site.name) }
        div class="Dateline_line" {
            p { b { (site.city) } }
            p class="Dateline_tagline" { (site.tagline) }
        }
        div class="home_blocks" { (block) }
    }
}

/// The site itself.
fn structured(site: &Site, origin: &str) -> Value {
    json!({"@type": "WebSite", "name": site.name, "url": format!("{origin}/"),
        "description": site.tagline, "publisher": organization(site, origin)})
}
