//! An index of line items by targeting, as bit sets: a page costs a few word operations, regardless of the number of
//! campaigns.

use std::{collections::HashMap, hash::Hash};

use fixedbitset::FixedBitSet;

use crate::{
    page::PageContext,
    plan::{LineItem, Targeting},
    size::Size,
};

/// A targeting condition: the line items without the condition, and, for each value, the line items that accept it,
/// including line items without the condition.
#[derive(Debug, Clone)]
struct Condition<T> {
    without: FixedBitSet,
    with: HashMap<T, FixedBitSet>,
}

impl<T: Eq + Hash + Clone> Condition<T> {
    fn new<'a>(items: &'a [&LineItem], values: impl Fn(&'a Targeting) -> &'a [T]) -> Self
    where
        T: 'a,
    {
        let mut without = FixedBitSet::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            without.set(at, values(&item.targeting).is_empty());
        }
        let mut with: HashMap<T, FixedBitSet> = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            for value in values(&item.targeting) {
                with.entry(value.clone())
                    .or_insert_with(|| without.clone())
                    .insert(at);
            }
        }
        Self { without, with }
    }

    /// Keeps the line items that accept a value; without a value, keeps the line items without the condition.
    fn narrow<Q>(&self, eligible: &mut FixedBitSet, value: Option<&Q>)
    where
        T: std::borrow::Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let accepting = value.and_then(|value| self.with.get(value));
        eligible.intersect_with(accepting.unwrap_or(&self.without));
    }

    /// Keeps the line items that accept any of several values.
    fn narrow_to_any(&self, eligible: &mut FixedBitSet, values: &[T]) {
        if self.with.is_empty() {
            return;
        }
        let mut accepting = self.without.clone();
        for value in values {
            if let Some(with) = self.with.get(value) {
                accepting.union_with(with);
            }
        }
        eligible.intersect_with(&accepting);
    }
}

/// Line items by targeting and by the sizes of their creatives.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    pages: Condition<String>,
    sections: Condition<String>,
    articles: Condition<i64>,
    types: Condition<String>,
    neighbourhoods: Condition<String>,
    keywords: Condition<String>,
    screens: Condition<String>,
    sizes: HashMap<Size, FixedBitSet>,
}

impl Index {
    pub(crate) fn new(items: &[&LineItem]) -> Self {
        let mut sizes: HashMap<Size, FixedBitSet> = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            for creative in &item.creatives {
                sizes
                    .entry(creative.size)
                    .or_insert_with(|| FixedBitSet::with_capacity(items.len()))
                    .insert(at);
            }
        }
        Self {
            pages: Condition::new(items, |targeting| &targeting.pages),
            sections: Condition::new(items, |targeting| &targeting.sections),
            articles: Condition::new(items, |targeting| &targeting.article_ids),
            types: Condition::new(items, |targeting| &targeting.types),
            neighbourhoods: Condition::new(items, |targeting| &targeting.neighbourhoods),
            keywords: Condition::new(items, |targeting| &targeting.keywords),
            screens: Condition::new(items, |targeting| &targeting.screens),
            sizes,
        }
    }

    /// Keeps the line items whose targeting includes a page.
    pub(crate) fn narrow(&self, eligible: &mut FixedBitSet, page: &PageContext) {
        self.pages.narrow(eligible, Some(page.page.as_str()));
        self.sections.narrow(eligible, page.section.as_deref());
        self.articles.narrow(eligible, page.article_id.as_ref());
        self.types.narrow(eligible, page.listing_type.as_deref());
        self.neighbourhoods
            .narrow(eligible, page.neighbourhood.as_deref());
        self.keywords.narrow_to_any(eligible, &page.keywords);
        self.screens.narrow(eligible, Some(page.screen.as_str()));
    }

    /// The line items among `among` that have a creative of one of these sizes.
    pub(crate) fn fitting(&self, among: &FixedBitSet, sizes: &[Size]) -> FixedBitSet {
        let mut fitting = FixedBitSet::with_capacity(among.len());
        for size in sizes {
            if let Some(of_size) = self.sizes.get(size) {
                fitting.union_with(of_size);
            }
        }
        fitting.intersect_with(among);
        fitting
    }
}
