//! The page of all newsletters (`web/src/routes/newsletters.tsx`).

use maud::{Markup, html};
use site::{Newsletter, Site};

use crate::pages::{content::head::head, meta::Meta};

pub(in crate::pages) fn meta(site: &Site, path: &str) -> Meta {
    Meta {
        description: Some(welcome(site)),
        ..Meta::page("Newsletters", path)
    }
}

fn welcome(site: &Site) -> String {
    format!(
        "Pick what {} sends you. Unsubscribe with one click.",
        site.name
    )
}

/// The newsletters that a guest can choose; checkboxes, address field and button need scripts.
pub(in crate::pages) fn content(site: &Site) -> Markup {
    let deck = html! {
        p class="PageHead_deck" {
            (welcome(site)) " "
            a href="/newsletters/issues/" { "Earlier issues" }
        }
    };
    html! {
        (head(None, "Newsletters", &deck))
        ul class="NewsletterList_list" {
            @for newsletter in Newsletter::all(site) {
                li {
                    div {
                        label class="CheckField_field" {
                            span class="CheckField_box" data-reserved {}
                            span class="NewsletterList_words" {
                                span class="NewsletterList_name" {
                                    (newsletter.title) " "
                                    span class="NewsletterList_schedule" { (newsletter.schedule) }
                                }
                                span class="NewsletterList_text" { (newsletter.description) }
                                span class="NewsletterList_consent" { (newsletter.consent) }
                            }
                        }
                    }
                }
            }
        }
    }
}
