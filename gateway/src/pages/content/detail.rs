//! Detail pages of items, with a picture, facts and a text (`web/src/ui/Detail.tsx`).

use maud::{Markup, html};

use super::markup::bleed;

/// Parts of the page; the caller renders the headline.
#[derive(Debug)]
pub(in crate::pages) struct Detail {
    pub(in crate::pages) headline: Markup,
    pub(in crate::pages) picture: Markup,
    /// Facts beside the text.
    pub(in crate::pages) side: Markup,
    /// Content below the facts.
    pub(in crate::pages) below: Markup,
    pub(in crate::pages) story: Markup,
    pub(in crate::pages) share: Markup,
    /// Whether the text precedes the facts on a small screen.
    pub(in crate::pages) is_story_first: bool,
}

impl Detail {
    pub(in crate::pages) fn html(&self) -> Markup {
        html! {
            article {
                header class="Detail_head" { (self.headline) }
                div class="Detail_columns" {
                    div class="Detail_picture" { (bleed(&self.picture)) }
                    @if self.is_story_first { (self.text()) (self.facts()) }
                    @else { (self.facts()) (self.text()) }
                }
            }
        }
    }

    fn facts(&self) -> Markup {
        html! {
            div class="Detail_side" {
                div class="Detail_facts" { (self.side) }
                (self.below)
            }
        }
    }

    fn text(&self) -> Markup {
        html! { div class="Detail_story" { (self.story) (self.share) } }
    }
}
