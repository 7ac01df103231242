//! A contest (`web/src/routes/contest.tsx`).

use chassis::instant;
use maud::{Markup, html};
use site::ads::slot::{PageKind, Spot};

use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            ads,
            detail::Detail,
            head::{notice, plain_notice},
            markup::{
                Loading, button_space, fact, frame, headline, item_text, link, newsletter_space,
                sanitised,
            },
            share::share,
        },
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
    Ok(Opening {
        meta: Meta {
            structured: vec![object, breadcrumbs(page.site(), page.origin(), &steps)],
            ..Meta::item(item, page.path)
        },
        content: content(page, &contest),
        answers,
    })
}

fn content(page: &PageContext<'_>, contest: &Contest) -> Markup {
    let item = &contest.card;
    let now = page.catalogue.clock.now();
    let is_after = |at: &Option<String>| {
        let at = at.as_deref().and_then(instant::from_rfc3339);
        at.is_some_and(|at| at > now)
    };
    let is_closed =
        contest.has_closed || (contest.closes_at.is_some() && !is_after(&contest.closes_at));
    let is_open = !is_closed && !is_after(&contest.opens_at);
    let side = html! {
        aside aria-label="About this contest" {
            dl class="Facts_facts" {
                @if let Some(opens) = contest.opens_on.as_ref().filter(|_| !is_closed && !is_open) {
                    (fact("Opens", &html! { time datetime=[&contest.opens_at] { (opens) } }))
                }
                @if let Some(closes) = &contest.closes_on {
                    (fact(
                        if is_closed { "Closed" } else { "Closes" },
                        &html! { time datetime=[&contest.closes_at] { (closes) } },
                    ))
                }
                @if !item.is_age_restricted && !is_open && !contest.question.is_empty() {
                    (fact("Question", &html! { (contest.question) }))
                }
            }
            @if is_open && !item.is_age_restricted { (button_space("contest_enter")) }
        }
    };
    // The remaining time depends on the reader's clock.
    let kicker = html! { (link("/contests/", "Contests")) span data-reserved { "\u{a0}" } };
    let detail = Detail {
        headline: headline(&kicker, &item.name, &item.excerpt),
        picture: frame(item.image_url.as_deref(), Loading::AtOnce),
        side,
        below: Markup::default(),
        share: share(page.origin(), &item.share_url, &item.name),
        is_story_first: false,
        story: html! {
            (item_text(page.site(), item, contest.body.as_deref().unwrap_or_default()))
            @if !contest.rules.is_empty() {
                section {
                    div class="SectionHeading_heading" {
                        h2 class="SectionHeading_title" { "Rules" }
                    }
                    div class="Prose_prose" { (sanitised(&contest.rules)) }
                }
            }
            @if !item.is_age_restricted && !is_open { (without_entry(contest, is_closed)) }
        },
    };
    html! {
        (detail.html())
        (ads::beside(page.site(), PageKind::Contest, Spot::Lead, item.is_age_restricted))
        (newsletter_space())
    }
}

/// The reason why a contest takes no entries (`web/src/features/contests/Entry.tsx`).
fn without_entry(contest: &Contest, is_closed: bool) -> Markup {
    let others = link("/contests/", "See the other contests");
    if is_closed {
        let body = html! { p { "Entries are closed. The winner is notified by email." } (others) };
        return notice("This contest has closed", &body);
    }
    let opens = html! { time datetime=[&contest.opens_at] { (contest.opens_on.as_deref().unwrap_or_default()) } };
    plain_notice(
        "Not open yet",
        &html! { p { "Entries are taken from " (opens) " on." } (others) },
    )
}
