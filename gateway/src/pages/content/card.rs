//! Cards (`web/src/ui/Card.tsx`).

use maud::{Markup, html};

/// The size and layout of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) enum Look {
    /// A card in a grid.
    Card,
    /// The large card at the top of a page, whose text is over its picture.
    Cover,
    /// The large card above the grid of a list.
    Opening,
    /// A card beside the cover.
    Second,
    /// A line of an index.
    Line,
    /// A line within a text, whose name is a section heading.
    Note,
}

impl Look {
    fn class(self) -> &'static str {
        match self {
            Self::Card => "Card_card",
            Self::Cover => "Card_card Card_cover",
            Self::Opening => "Card_card Card_lead",
            Self::Second => "Card_card Card_second",
            Self::Line | Self::Note => "Card_card Card_line",
        }
    }

    /// Whether the card's name is a section heading, as at the top of a page.
    fn is_section(self) -> bool {
        matches!(self, Self::Cover | Self::Second | Self::Note)
    }
}

/// The content of a card.
#[derive(Debug)]
pub(in crate::pages) struct Card<'a> {
    pub(super) href: &'a str,
    pub(super) name: &'a str,
    pub(super) picture: Markup,
    /// Short label above the name.
    pub(super) kicker: &'a str,
    /// Remark beside the kicker.
    pub(super) note: Option<String>,
    /// Sentence above the name, larger than the name.
    pub(super) sentence: &'a str,
    pub(super) deck: &'a str,
    /// Whether the deck is never cut.
    pub(super) has_whole_deck: bool,
    /// Stars, below the name.
    pub(super) rating: Markup,
    /// Date or place, below the name.
    pub(super) meta: Option<Markup>,
}

impl Card<'_> {
    pub(super) fn html(&self, look: Look) -> Markup {
        let name = html! { a class="Card_link" href=(self.href) { (self.name) } };
        html! {
            article class=(look.class()) {
                div class="Card_picture" { (self.picture) }
                div class="Card_text" {
                    @if !self.kicker.is_empty() || self.note.is_some() {
                        p class="Card_kicker" {
                            @if !self.kicker.is_empty() { span { (self.kicker) } }
                            @if let Some(note) = &self.note { span class="Card_note" { (note) } }
                        }
                    }
                    @if !self.sentence.is_empty() { p class="Card_sentence" { (self.sentence) } }
                    @if look.is_section() { h2 class="Card_name" { (name) } }
                    @else { h3 class="Card_name" { (name) } }
                    @if !self.deck.is_empty() {
                        @let class = if self.has_whole_deck { "Card_deck Card_whole" } else { "Card_deck" };
                        p class=(class) { (self.deck) }
                    }
                    (self.rating)
                    @if let Some(meta) = &self.meta { p class="Card_meta" { (meta) } }
                }
            }
        }
    }
}
