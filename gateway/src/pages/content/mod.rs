//! What can be read of a page without scripts: the frame of the site, and the content of the page's first
//! answers. Its elements and classes are the application's own (`web/src`, whose build names a class
//! after its sheet), so that the application takes over without anything moving.

mod article;
mod frame;
mod front;
mod hours;
mod list;
mod place;

use chassis::instant;
use chrono::NaiveDate;
use chrono_tz::Tz;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

use super::{data::FirstAnswer, plan};
use crate::site::Site;

/// How a page looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Home,
    /// The newest articles of a section.
    Section,
    /// A heading and a grid of cards, of what it counts.
    Grid {
        above: Above,
        unit: [&'static str; 2],
    },
    /// A heading and a list of names.
    Index,
    Article,
    Place,
    /// A best-of list.
    Ranking,
    /// Events, contests, videos and static pages: a heading and a text.
    Item,
    /// A heading; the rest needs scripts.
    Title,
}

/// What stands above a grid's heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Above {
    Nothing,
    /// The city's name.
    City,
    Words(&'static str),
    Link {
        href: &'static str,
        label: &'static str,
    },
}

/// What stands in the application's place until it is there.
pub(super) fn page(
    site: &Site,
    look: Look,
    path: &str,
    heading: &str,
    answers: &[FirstAnswer],
) -> String {
    let subject = plan::subject(answers);
    let content = match look {
        Look::Home => front::home(site, subject),
        Look::Section => front::section(site, heading, subject),
        Look::Grid { above, unit } => list::grid(site, above, heading, subject, unit),
        Look::Index => list::index(heading, subject),
        Look::Article => article::article(site, subject),
        Look::Place => place::place(subject),
        Look::Ranking => list::ranking(site, subject),
        Look::Item => list::item(subject),
        Look::Title => list::title(heading),
    };
    frame::around(site, path, &content).into_string()
}

/// A text of an answer; empty where it has none.
fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// What is in a list of an answer.
fn all<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// A link by the name and address that an answer gives of something.
fn link(to: &Value) -> Markup {
    html! { a href=(text(to, "share_url")) { (text(to, "name")) } }
}

/// HTML of an answer, which the service that made it has sanitised.
fn sanitised(html: &str) -> PreEscaped<&str> {
    PreEscaped(html)
}

/// A picture, 3:2, or the room for what stands in its stead. The page opens with it.
fn picture(of: &Value) -> Markup {
    let source = text(of, "image_url");
    html! {
        div class="Picture_frame" {
            @if !source.is_empty() {
                img class="Picture_picture" src=(source) alt="" width="720" height="480"
                    loading="eager" fetchpriority="high" decoding="async";
            }
        }
    }
}

/// `web/src/ui/Bleed.tsx`.
fn bleed(of: &Value) -> Markup {
    html! { div class="Bleed_bleed" { (picture(of)) } }
}

/// `web/src/ui/Headline.tsx`.
fn headline(kicker: &Markup, name: &str, deck: &str) -> Markup {
    html! {
        p class="Kicker_kicker" { (kicker) }
        h1 class="Headline_name" { (name) }
        @if !deck.is_empty() { p class="Headline_deck" { (deck) } }
    }
}

/// A day as the application writes it, "January 2, 2026"; what is no day as it is.
fn date(day: &str) -> String {
    NaiveDate::parse_from_str(day, "%Y-%m-%d").map_or_else(
        |_| day.to_owned(),
        |day| day.format("%B %-d, %Y").to_string(),
    )
}

/// The day of an instant in the city's zone: "January 2, 2026", or shorter "Jan 2, 2026".
fn day(at: &str, zone: Tz, is_short: bool) -> String {
    let form = if is_short { "%b %-d, %Y" } else { "%B %-d, %Y" };
    instant::from_rfc3339(at)
        .map(|at| at.with_timezone(&zone).format(form).to_string())
        .unwrap_or_default()
}
