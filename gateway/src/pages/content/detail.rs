//! Detail pages of items, with a picture, facts and a text (`web/src/ui/Detail.tsx`).

use maud::{Markup, html};

use super::markup::bleed;

/// Parts of the page; the caller renders the headline.
#[derive(Debug)]
pub(in crate::pages) struct Detail {
    pub(in crate::pages) headline: Markup,
    pub(in crate::pages) picture: Markup,
    /// Facts beside the text.
    pub(in crate::pages) side: Option<Markup>,
    /// Content below the facts.
    pub(in crate::pages) below: Markup,
    pub(in crate::pages) story: Markup,
}

impl Detail {
    pub(in crate::pages) fn html(&self) -> Markup {
        html! {
            article {
                header class="Detail_head" { (self.headline) }
                div class="Detail_columns" {
                    div class="Detail_picture" { (bleed(&self.picture)) }
                    @if let Some(side) = &self.side {
                        div class="Detail_side" {
                            div class="Detail_facts" { (side) }
                            (self.below)
                        }
                    }
                    div class="Detail_story" { (self.story) }
                }
            }
        }
    }
}
