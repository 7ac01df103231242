//! A section of articles (`web/src/routes/section.tsx`).

use maud::html;

use crate::{
    edge::error::ApiError,
    pages::{
        content::{cards, front},
        meta::Meta,
        opening::{NEWEST, Opening, PageContext, feed},
    },
    site::Site,
    v2::items::{articles::Article, resource},
};

pub(in crate::pages) fn meta(site: &Site, path: &str) -> Meta {
    let slug = path.trim_matches('/');
    let name = site.section_name(slug).unwrap_or(slug);
    Meta {
        feed: feed(site, Some(slug)),
        ..Meta::page(name, path)
    }
}

pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let call = resource::list_call::<Article>(&[NEWEST, ("section", page.slug())]);
    let (found, answer) = page.get(call).await?;
    let meta = meta(site, page.path);
    let heading = meta.title.as_deref().unwrap_or_default();
    Ok(Opening {
        content: html! {
            (cards::counted(None, heading, found.count, ["article", "articles"]))
            (front::of_articles(site, &found.results, false))
        },
        meta,
        answers: vec![answer],
    })
}
