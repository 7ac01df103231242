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
    html! {
        div class="Notice_notice" {
            div class="Notice_drawing" aria-hidden="true" {}
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
