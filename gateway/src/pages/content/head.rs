//! The heads of list pages, and notices.

use maud::{Markup, html};

/// A page's head (`web/src/ui/PageHead.tsx`); `below` follows the title.
pub(in crate::pages) fn head(kicker: Option<&Markup>, title: &str, below: &Markup) -> Markup {
    html! {
        header class="PageHead_head" {
            @if let Some(kicker) = kicker { p class="Kicker_kicker" { (kicker) } }
            h1 class="PageHead_title" { (title) }
            (below)
        }
    }
}

/// The sentence below a title.
pub(in crate::pages) fn deck(text: &str) -> Markup {
    html! { p class="PageHead_deck" { (text) } }
}

/// A notice in place of an empty page's content (`web/src/ui/Notice.tsx`).
pub(in crate::pages) fn notice(title: &str, body: &Markup) -> Markup {
    let drawing = html! { div class="Notice_drawing" aria-hidden="true" {} };
    with_drawing(&drawing, title, body)
}

/// A notice in place of content that is not there yet.
pub(in crate::pages) fn plain_notice(title: &str, body: &Markup) -> Markup {
    with_drawing(&Markup::default(), title, body)
}

fn with_drawing(drawing: &Markup, title: &str, body: &Markup) -> Markup {
    html! {
        div class="Notice_notice" {
            (drawing)
            h2 class="Notice_title" { (title) }
            div class="Notice_body" { (body) }
        }
    }
}

/// A notice page with its own heading.
pub(in crate::pages) fn notice_page(title: &str, body: &Markup) -> Markup {
    html! {
        div class="Notice_notice Notice_page" {
            h1 class="Notice_title" { (title) }
            div class="Notice_body" { (body) }
        }
    }
}
