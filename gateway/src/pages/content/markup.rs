//! Elements that many pages share, as the application's components render them.

use chassis::instant;
use chrono::NaiveDate;
use chrono_tz::Tz;
use maud::{Markup, PreEscaped, html};

/// A link.
pub(in crate::pages) fn link(href: &str, name: &str) -> Markup {
    html! { a href=(href) { (name) } }
}

/// HTML of an answer; services sanitise it.
pub(in crate::pages) fn sanitised(html: &str) -> PreEscaped<&str> {
    PreEscaped(html)
}

/// A picture of 3:2 above the fold, or the space of its placeholder.
pub(in crate::pages) fn picture(source: Option<&str>) -> Markup {
    html! {
        div class="Picture_frame" {
            @if let Some(source) = source {
                img class="Picture_picture" src=(source) alt="" width="720" height="480"
                    loading="eager" fetchpriority="high" decoding="async";
            }
        }
    }
}

/// `web/src/ui/Bleed.tsx`.
pub(in crate::pages) fn bleed(source: Option<&str>) -> Markup {
    html! { div class="Bleed_bleed" { (picture(source)) } }
}

/// `web/src/ui/Headline.tsx`.
pub(in crate::pages) fn headline(kicker: &Markup, name: &str, deck: &str) -> Markup {
    html! {
        p class="Kicker_kicker" { (kicker) }
        h1 class="Headline_name" { (name) }
        @if !deck.is_empty() { p class="Headline_deck" { (deck) } }
    }
}

/// A day as the application writes it: "January 2, 2026". Anything else is returned unchanged.
pub(in crate::pages) fn date(day: &str) -> String {
    NaiveDate::parse_from_str(day, "%Y-%m-%d").map_or_else(
        |_| day.to_owned(),
        |day| day.format("%B %-d, %Y").to_string(),
    )
}

/// The day of an instant in the city's zone: "January 2, 2026", or shorter "Jan 2, 2026".
pub(in crate::pages) fn day(at: &str, zone: Tz, is_short: bool) -> String {
    let form = if is_short { "%b %-d, %Y" } else { "%B %-d, %Y" };
    instant::from_rfc3339(at)
        .map(|at| at.with_timezone(&zone).format(form).to_string())
        .unwrap_or_default()
}
