//! A section of articles (`web/src/routes/section.tsx`).

use maud::html;
use site::{
    Site,
    ads::slot::{PageKind, Spot},
};

use super::grids::sorted;
use crate::{
    edge::error::ApiError,
    pages::{
        content::{ads, card::Look, grid::Grid, item_cards, opening},
        meta::Meta,
        opening::{NEWEST, Opening, PageContext, feed},
    },
    v2::items::{articles::Article, resource},
};

pub(in crate::pages) fn meta(site: &Site, path: &str) -> Meta {
    let slug = path.trim_matches('/');
    let name = site.section_name(slug).unwrap_or(slug);
    Meta {
        feed: feed(site, Some(slug)),
        ..Meta::page(name, path).described(format!(
            "{name} from {}: the latest stories first.",
            site.city
        ))
    }
}

pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let call = resource::list_call::<Article>(&[NEWEST, ("section", page.slug())]);
    let (found, answer) = page.get(call).await?;
    let meta = meta(site, page.path);
    let heading = meta.title.clone().unwrap_or_default();
    let grid = Grid {
        above: html! {
            (opening::of_articles(site, &found.results, true))
            (ads::at(site, PageKind::Section, Spot::Lead))
        },
        ..sorted(None, &heading, found.count, ["article", "articles"])
    };
    Ok(Opening {
        content: grid.html(&found.results, opening::OPENING, |article, loading| {
            item_cards::article(site, article, true, Look::Card, loading)
        }),
        meta,
        answers: vec![answer],
    })
}
