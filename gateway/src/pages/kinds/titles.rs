//! The archive's months, and pages that need scripts for everything except their opening.

use maud::{Markup, html};
use site::Site;

use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            head::{deck, head, notice, notice_page},
            markup::line,
        },
        meta::Meta,
        opening::{Opening, PageContext},
    },
    v2::items::archives::{self, ArchiveMonth},
    words::numbers::counted,
};

pub(in crate::pages) fn archives_meta(site: &Site, path: &str) -> Meta {
    let description = format!("Every story about {}, month by month.", site.city);
    Meta::page("Archives", path).described(description)
}

pub(in crate::pages) async fn archives(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let (found, answer) = page.get(archives::list_call()).await?;
    Ok(Opening {
        meta: archives_meta(page.site(), page.path),
        content: months(page.site(), &found.results),
        answers: vec![answer],
    })
}

/// All months with published articles, by year (`web/src/features/articles/ArchiveMonths.tsx`).
fn months(site: &Site, months: &[ArchiveMonth]) -> Markup {
    let total: i64 = months.iter().map(|month| month.count).sum();
    let stories = counted(total, ["story", "stories"]);
    let summary = format!("{stories} about {}, month by month.", site.city);
    let years = months.chunk_by(|one, next| one.year == next.year);
    html! {
        (head(None, "Archives", &deck(if total > 0 { &summary } else { "" })))
        @if months.is_empty() {
            (notice("No articles yet", &html! {
                p { "The first articles are being written. Check back soon." }
            }))
        } @else {
            div class="ArchiveMonths_years" {
                @for year in years { (months_of_a_year(year)) }
            }
        }
    }
}

fn months_of_a_year(months: &[ArchiveMonth]) -> Markup {
    html! {
        @if let Some(ArchiveMonth { year, .. }) = months.first() {
            section class="ArchiveMonths_year" aria-labelledby={ "year-" (year) } {
                h2 class="ArchiveMonths_number" id={ "year-" (year) } { (year) }
                ul class="ArchiveMonths_months" {
                    @for month in months {
                        li {
                            (line(&address(month), &month.name, month.count, ["article", "articles"]))
                        }
                    }
                }
            }
        }
    }
}

/// Returns the address of a month of the archive: from its first day to the first day of the next month.
fn address(ArchiveMonth { year, month, .. }: &ArchiveMonth) -> String {
    let (next_year, next) = if *month == 12 {
        (year + 1, 1)
    } else {
        (*year, month + 1)
    };
    format!("/archives/?from={year}-{month:02}-01&to={next_year}-{next:02}-01")
}

pub(in crate::pages) fn contact_meta(site: &Site, path: &str) -> Meta {
    Meta::page("Contact", path).described(welcome(site))
}

fn welcome(site: &Site) -> String {
    format!("Write to {}. We read everything.", site.name)
}

pub(in crate::pages) fn contact(site: &Site) -> Markup {
    head(None, "Contact", &deck(&welcome(site)))
}

pub(in crate::pages) fn login_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Log in")
}

pub(in crate::pages) fn login(_: &Site) -> Markup {
    notice_page(
        "Log in to save what you like",
        &html! {
            p { "An account is free, and your favourites are there on every device you use." }
        },
    )
}

pub(in crate::pages) fn reset_password_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("New password")
}

pub(in crate::pages) fn confirm_email_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Confirm your email")
}

pub(in crate::pages) fn receipt_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Your receipt")
}

pub(in crate::pages) fn facebook_deletion_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Data from Facebook")
}

pub(in crate::pages) fn dashboard_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Dashboard")
}

pub(in crate::pages) fn logout_meta(_: &Site, _: &str) -> Meta {
    Meta::unlisted("Log out")
}

/// The empty content of a page that depends on its reader or on the hash of its address.
pub(in crate::pages) fn personal(_: &Site) -> Markup {
    Markup::default()
}
