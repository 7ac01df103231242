//! Shared elements, rendered like the application's components.

use maud::{Markup, PreEscaped, html};
use pictures::CataloguePicture;
use site::Site;

use crate::{
    v2::items::{Card, videos::Video},
    words::numbers::{counted, grouped},
};

/// Displayed widths of pictures at the top of a page and of lazily loaded pictures. Both renderings must use the same
/// values, or browsers would fetch a picture in two sizes. `auto` cannot be used, because it is not known yet when a
/// script creates a picture.
const WIDTHS: &str = "(min-width: 1020px) 720px, 100vw";
const LAZY_WIDTHS: &str = "(min-width: 640px) 420px, 100vw";

/// When a picture is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) enum Loading {
    /// Immediately: it is at the top of the page.
    AtOnce,
    /// When the reader scrolls near it.
    Lazy,
}

impl Loading {
    pub(in crate::pages) fn at_once(is_first: bool) -> Self {
        if is_first { Self::AtOnce } else { Self::Lazy }
    }
}

pub(in crate::pages) fn link(href: &str, name: &str) -> Markup {
    html! { a href=(href) { (name) } }
}

/// HTML from a response, which services have sanitised.
pub(in crate::pages) fn sanitised(html: &str) -> PreEscaped<&str> {
    PreEscaped(html)
}

/// A 3:2 picture (`web/src/ui/Picture.tsx`), or an empty frame of that size.
pub(in crate::pages) fn frame(source: Option<&str>, loading: Loading) -> Markup {
    let (when, priority, widths) = match loading {
        Loading::AtOnce => ("eager", Some("high"), WIDTHS),
        Loading::Lazy => ("lazy", None, LAZY_WIDTHS),
    };
    let picture = source.and_then(CataloguePicture::at);
    let widths = picture.is_some().then_some(widths);
    let srcset = picture.map(|picture| picture.srcset());
    html! {
        div class="Picture_frame" {
            @if let Some(source) = source {
                img class="Picture_picture" src=(source) srcset=[srcset] sizes=[widths] alt=""
                    width="720" height="480" loading=(when) fetchpriority=[priority]
                    decoding="async";
            }
        }
    }
}

/// The heading of a section (`web/src/ui/SectionHeading.tsx`).
pub(in crate::pages) fn section_heading(title: &str) -> Markup {
    html! { div class="SectionHeading_heading" { h2 class="SectionHeading_title" { (title) } } }
}

/// The heading of a section with a link at the end of its line.
pub(in crate::pages) fn linked_section_heading(title: &str, href: &str, name: &str) -> Markup {
    html! {
        div class="SectionHeading_heading" {
            h2 class="SectionHeading_title" { (title) }
            div class="SectionHeading_aside" { (link(href, name)) }
        }
    }
}

/// Links between the parts of a page (`web/src/ui/TabStrip.tsx`): their names, addresses, and whether each is the
/// current page.
pub(in crate::pages) fn tab_strip(
    label: &str,
    tabs: impl Iterator<Item = (String, String, bool)>,
) -> Markup {
    html! {
        nav aria-label=(label) {
            ul class="TabStrip_strip" {
                @for (text, href, is_current) in tabs {
                    li { a href=(href) aria-current=[is_current.then_some("page")] { (text) } }
                }
            }
        }
    }
}

/// A full-width picture (`web/src/ui/Bleed.tsx`).
pub(in crate::pages) fn bleed(picture: &Markup) -> Markup {
    html! { div class="Bleed_bleed" data-hero="true" { (picture) } }
}

/// A headline (`web/src/ui/Headline.tsx`).
pub(in crate::pages) fn headline(kicker: &Markup, name: &str, deck: &str) -> Markup {
    html! {
        p class="Kicker_kicker" { (kicker) }
        h1 class="Headline_name" { (name) }
        @if !deck.is_empty() { p class="Headline_deck" { (deck) } }
    }
}

/// The excerpt below an article's name. Empty if the excerpt is the beginning of the text, as it is when no excerpt was
/// written (`web/src/lib/deck.ts`).
pub(in crate::pages) fn deck<'a>(excerpt: &'a str, body: Option<&str>) -> &'a str {
    let begin = letters(excerpt);
    if !begin.is_empty() && letters(body.unwrap_or_default()).starts_with(&begin) {
        ""
    } else {
        excerpt
    }
}

/// Returns only the letters and digits of HTML, because punctuation and entities differ between an excerpt and its
/// text.
fn letters(html: &str) -> String {
    let mut letters = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(first) = rest.chars().next() {
        let skipped = match first {
            '<' => rest.find('>'),
            // An ampersand without a semicolon does not start an entity.
            '&' => rest
                .find(|sign: char| sign == ';' || sign.is_whitespace())
                .filter(|end| rest[*end..].starts_with(';')),
            _ => None,
        };
        if let Some(end) = skipped {
            rest = &rest[end + 1..];
        } else {
            letters.extend(Some(first).filter(|letter| letter.is_alphanumeric()));
            rest = &rest[first.len_utf8()..];
        }
    }
    letters
}

/// The text of an article or a review (`web/src/ui/Prose.tsx`).
pub(in crate::pages) fn story(html: &str) -> Markup {
    html! { div class="Prose_prose Prose_opening" { (sanitised(html)) } }
}

/// The rest of a story after a break.
pub(in crate::pages) fn prose(html: &str) -> Markup {
    html! { div class="Prose_prose" { (sanitised(html)) } }
}

/// The text of an item, or a notice of its age restriction (`web/src/features/pages/ItemText.tsx`).
pub(in crate::pages) fn item_text(site: &Site, item: &Card, body: &str) -> Markup {
    html! {
        @if !body.is_empty() {
            (story(body))
        } @else if item.is_age_restricted {
            p class="ItemText_restricted" {
                "This is for readers aged " (site.legal_age) " and over."
            }
        }
    }
}

/// An entry in a list of facts (`web/src/ui/Facts.tsx`).
pub(in crate::pages) fn fact(name: &str, value: &Markup) -> Markup {
    html! {
        div class="Facts_fact" {
            dt { (name) }
            dd { (value) }
        }
    }
}

/// The date on which an item was published.
pub(in crate::pages) fn published(item: &Card) -> Option<Markup> {
    let day = item.published_on.as_ref()?;
    Some(html! { time datetime=[&item.date_published] { (day) } })
}

/// The duration of a video (`web/src/features/videos/Duration.tsx`).
pub(in crate::pages) fn duration(video: &Video) -> Markup {
    html! {
        @if video.duration_seconds > 0 {
            time datetime={ "PT" (video.duration_seconds) "S" } {
                span aria-hidden="true" { (video.duration) }
                span class="visually-hidden" { (video.duration_spoken) }
            }
        }
    }
}

/// A map that is not shown yet, without its button, which needs scripts (`web/src/features/listings/PlaceMap.tsx`).
pub(in crate::pages) fn map_poster(shown: &str) -> Markup {
    html! {
        div class="PlaceMap_poster" {
            p class="PlaceMap_where" { (shown) }
            (button_space(""))
        }
    }
}

/// The map of a list, which loads on request (`web/src/features/listings/ListMap.tsx`).
pub(in crate::pages) fn list_map(what: &str, located: usize) -> Markup {
    let shown = counted(
        i64::try_from(located).unwrap_or(i64::MAX),
        ["place", "places"],
    );
    html! {
        @if located > 0 {
            section class="PlaceMap_frame" aria-label={ "Where " (what) " are" } { (map_poster(&shown)) }
        }
    }
}

/// Reserves the space of the newsletter form at the end of a page (`web/src/features/newsletters/NewsletterPanel.tsx`).
pub(in crate::pages) fn newsletter_space() -> Markup {
    html! { div class="NewsletterPanel_panel NewsletterPanel_page" data-reserved {} }
}

/// Reserves the space of a button that fills its column.
pub(in crate::pages) fn button_space(class: &str) -> Markup {
    html! { span class={ "Button_button " (class) } data-reserved { "\u{a0}" } }
}

/// A line of an index: a link and a count (`web/src/ui/Counted.tsx`).
pub(in crate::pages) fn line(href: &str, name: &str, count: i64, unit: [&str; 2]) -> Markup {
    let [one, several] = unit;
    html! {
        a class="Counted_line" href=(href) {
            span { (name) }
            span class="Counted_count" {
                (grouped(count))
                span class="visually-hidden" { " " (if count == 1 { one } else { several }) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_that_begins_the_text_is_not_said_twice() {
        for (excerpt, body, shown) in [
            ("It is quiet.", Some("<p>Another text.</p>"), "It is quiet."),
            (
                "It’s “quiet” & new…",
                Some("<p>It&#39;s <em>\"quiet\"</em> &amp; newer.</p>"),
                "",
            ),
            ("It is quiet.", None, "It is quiet."),
            ("", Some("<p>Text</p>"), ""),
            ("…", Some("<p>Text</p>"), "…"),
        ] {
            assert_eq!(deck(excerpt, body), shown, "{excerpt}");
        }
    }
}
