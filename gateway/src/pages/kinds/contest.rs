//! A contest (`web/src/routes/contest.tsx`).

use crate::{
    edge::error::ApiError,
    pages::{
        content::cards,
        meta::Meta,
        opening::{Opening, PageContext},
        schema_org::{self, breadcrumbs},
    },
    v2::items::{contests::Contest, resource},
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let (contest, answers) = page
        .get_resolved(resource::detail_call::<Contest>(id))
        .await?;
    let item = &contest.card;
    let object = schema_org::card(page.origin(), "WebPage", item);
    let steps = [("Contests", "/contests/"), (&*item.name, &*item.share_url)];
    let body = contest.body.as_deref().unwrap_or_default();
    Ok(Opening {
        meta: Meta {
            structured: vec![object, breadcrumbs(page.site(), page.origin(), &steps)],
            ..Meta::item(item, page.path)
        },
        content: cards::text(&item.name, &item.excerpt, body),
        answers,
    })
}
