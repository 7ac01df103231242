//! A section of articles, or the articles of all sections (`web/src/routes/section.tsx`).

use maud::html;
use site::{
    ALL_ARTICLES, Site,
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
    let slug = page.slug();
    let has_all = slug == ALL_ARTICLES;
    let section = (!has_all).then_some(("section", slug));
    let query: Vec<_> = std::iter::once(NEWEST).chain(section).collect();
    let call = resource::list_call::<Article>(&query);
    let (found, answer) = page.get(call).await?;
    let meta = meta(site, page.path);
    let heading = meta.title.clone().unwrap_or_default();
    let grid = Grid {
        above: html! {
            (opening::of_articles(site, &found.results, !has_all))
            (ads::at(site, PageKind::Section, Spot::Lead))
        },
        ..sorted(None, &heading, found.count, ["article", "articles"])
    };
    Ok(Opening {
        content: grid.html(&found.results, opening::OPENING, |article, loading| {
            item_cards::article(site, article, !has_all, Look::Card, loading)
        }),
        meta,
        answers: vec![answer],
    })
}
