//! A static page (`web/src/routes/static-page.tsx`).

use maud::{Markup, html};
use site::Site;

use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            head::{deck, head},
            markup::sanitised,
        },
        meta::Meta,
        opening::{Opening, PageContext},
        schema_org::{self, breadcrumbs},
    },
    v2::items::pages,
};

/// Slug of the page on which readers choose which third-party content may be loaded.
const PRIVACY: &str = "privacy";

pub(in crate::pages) async fn open(page: &PageContext<'_>, _: i64) -> Result<Opening, ApiError> {
    let call = pages::detail_call(page.slug());
    let (found, answers) = page.get_resolved(call).await?;
    let (name, path, excerpt) = (&*found.name, &*found.share_url, &*found.excerpt);
    let object = schema_org::item(page.origin(), "WebPage", [name, path, excerpt], None);
    let crumbs = breadcrumbs(page.site(), page.origin(), &[(name, path)]);
    Ok(Opening {
        meta: Meta {
            description: (!excerpt.is_empty()).then(|| excerpt.to_owned()),
            structured: vec![object, crumbs],
            ..Meta::page(name, page.path)
        },
        content: html! {
            (head(None, name, &deck(excerpt)))
            div class="Prose_prose" { (sanitised(&found.body)) }
            @if page.slug() == PRIVACY { (consent(page.site())) }
        },
        answers,
    })
}

/// The consent section (`web/src/features/consent/ConsentSection.tsx`).
fn consent(site: &Site) -> Markup {
    html! {
        section class="ConsentSection_section" aria-labelledby="other-companies" {
            h2 class="ConsentSection_title" id="other-companies" { "Content of other companies" }
            p { (site.third_party_consent().wording) }
            p {
                "What the site needs, such as keeping you logged in, works whatever you choose. Without JavaScript nothing \
                 of other companies is loaded."
            }
            div class="ConsentSection_choice" data-reserved {}
        }
    }
}
