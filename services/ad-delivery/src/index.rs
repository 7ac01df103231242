//! Line items by what they are targeted at, as sets of bits: however many campaigns there are, a page costs a few
//! operations on words.

use std::{collections::HashMap, hash::Hash};

use fixedbitset::FixedBitSet;

use crate::{
    page::PageContext,
    plan::{LineItem, Targeting},
    size::Size,
};

/// One condition of a targeting: the line items without it, and for each value those that have it or are without.
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

    /// Leaves those that accept a value, or that have no condition if the page has none.
    fn narrow<Q>(&self, eligible: &mut FixedBitSet, value: Option<&Q>)
    where
        T: std::borrow::Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let accepting = value.and_then(|value| self.with.get(value));
        eligible.intersect_with(accepting.unwrap_or(&self.without));
    }

    /// Leaves those that accept one of several values.
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

/// Line items by their targeting and by the sizes of their creatives.
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

    /// Leaves the line items that are targeted at a page.
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

    /// Those among some line items that have a creative of one of these sizes.
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
