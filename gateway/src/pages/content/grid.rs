//! Grids of cards with their filters (`web/src/features/grid/GridPage.tsx`).

use maud::{Markup, html};

use super::{
    head::{head, notice},
    markup::Loading,
};
use crate::words::numbers::counted;

/// Up to this number of items, a list has no search, no order and no lead (`web/src/features/grid/few.ts`).
pub(in crate::pages) const FEW: i64 = 4;

/// Number of cards whose pictures are fetched immediately.
const FIRST: usize = 2;

/// A page with a grid.
#[derive(Debug)]
pub(in crate::pages) struct Grid<'a> {
    pub(in crate::pages) kicker: Option<Markup>,
    pub(in crate::pages) title: &'a str,
    /// Number of items; negative if unknown.
    pub(in crate::pages) count: i64,
    /// The unit of the count, in the singular and the plural.
    pub(in crate::pages) unit: [&'static str; 2],
    /// Number of select fields in the filter bar, beside the search. Without select fields, there is no bar.
    pub(in crate::pages) choices: usize,
    /// Content between the head and the filters.
    pub(in crate::pages) above: Markup,
    /// Links between the filters and the items.
    pub(in crate::pages) chips: Markup,
    /// The large card of an item, above the others.
    pub(in crate::pages) lead: Markup,
}

impl Grid<'_> {
    /// Renders the page with a card for each item, except the first `hidden` items, which are shown above.
    pub(in crate::pages) fn html<T>(
        &self,
        items: &[T],
        hidden: usize,
        card: impl Fn(&T, Loading) -> Markup,
    ) -> Markup {
        let shown = items.get(hidden..).unwrap_or_default();
        let is_opened = hidden > 0 || !self.lead.0.is_empty();
        let list = html! {
            h2 class="visually-hidden" { (capitalised(self.unit[1])) }
            (self.lead)
            @if !shown.is_empty() {
                ul class="Grid_grid" {
                    @for (index, item) in shown.iter().enumerate() {
                        li { (card(item, Loading::at_once(!is_opened && index < FIRST))) }
                    }
                }
            }
        };
        self.with((!items.is_empty()).then_some(&list))
    }

    /// Renders the page with a list, or a notice that there are no items.
    pub(in crate::pages) fn with(&self, list: Option<&Markup>) -> Markup {
        let [_, many] = self.unit;
        let count = html! {
            @if self.count >= 0 {
                p class="GridPage_count" role="status" { (counted(self.count, self.unit)) }
            }
        };
        html! {
            (head(self.kicker.as_ref(), self.title, &count))
            (self.above)
            @if self.choices > 0 { (filters(self.choices)) }
            (self.chips)
            @if let Some(list) = list {
                (list)
            } @else {
                (notice(&format!("No {many} here yet"), &html! {
                    p { "Check back soon, or browse the rest of the site." }
                    a href="/" { "Go to the front page" }
                }))
            }
        }
    }
}

/// Reserves the space of a search field and select fields.
fn filters(choices: usize) -> Markup {
    html! {
        div class="FilterBar_bar" data-reserved {
            div class="KeywordSearch_search" { span class="KeywordSearch_space" {} }
            (select_fields(choices))
        }
    }
}

/// Reserves the space of select fields.
pub(in crate::pages) fn select_fields(number: usize) -> Markup {
    html! {
        @for _ in 0..number {
            div class="SelectField_field" {
                span class="SelectField_label" { "\u{a0}" }
                span class="SelectField_select" {}
            }
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
