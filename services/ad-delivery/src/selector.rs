//! Chooses ads for the slots of a page.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use fixedbitset::FixedBitSet;

use crate::{
    index::Index,
    page::{PageContext, Slot},
    plan::{Campaign, Creative, LineItem, Plan, Priority},
    size::Size,
};

/// The interval in milliseconds at which the servable line items are updated: too short to be noticeable, and long
/// enough to cost nearly nothing.
const LOOKED_AT: i64 = 20;
/// The maximum pace that a line item may accumulate while it has no opportunity, in seconds.
const SAVED_UP: f64 = 2.0;

/// The choice for a slot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice<'a> {
    /// The campaign.
    pub campaign: &'a Campaign,
    /// The line item.
    pub line_item: &'a LineItem,
    /// The creative to show.
    pub creative: &'a Creative,
}

/// The current budget of a line item.
#[derive(Debug, Clone)]
struct Budget {
    per_second: f64,
    /// The number of opportunities that may be used now.
    saved: f64,
    /// The number of opportunities that may be used until the next measurement.
    left: u64,
}

/// A plan prepared for choosing, with the current budgets.
#[derive(Debug, Clone)]
pub struct Selector {
    plan: Plan,
    /// The indexes of the campaign and line item of each bit.
    items: Vec<(usize, usize)>,
    by_id: HashMap<i64, usize>,
    index: Index,
    of_priority: [FixedBitSet; 3],
    /// For each line item, the line items that must not share a page with it, including itself.
    rivals: Vec<FixedBitSet>,
    budgets: Vec<Budget>,
    served: Vec<u64>,
    /// Line items whose campaign is running now and which, if paced, have budget left.
    open: FixedBitSet,
    opened_at: Option<DateTime<Utc>>,
}

impl Selector {
    /// Prepares a plan. `random` draws numbers from 0 to 1, so that line items with the same pace do not all start at
    /// the same time.
    #[must_use]
    pub fn new(plan: Plan, random: &mut impl FnMut() -> f64) -> Self {
        let mut items = Vec::new();
        for (at, campaign) in plan.campaigns.iter().enumerate() {
            items.extend((0..campaign.line_items.len()).map(|item| (at, item)));
        }
        let line_items: Vec<&LineItem> = items
            .iter()
            .map(|(campaign, item)| &plan.campaigns[*campaign].line_items[*item])
            .collect();
        let with_priority = |priority: Priority| {
            let all = line_items.iter().enumerate();
            all.filter(|(_, item)| item.priority == priority)
                .map(|(at, _)| at)
                .fold(FixedBitSet::with_capacity(items.len()), |mut set, at| {
                    set.insert(at);
                    set
                })
        };
        let of_priority =
            [Priority::Sponsorship, Priority::Standard, Priority::House].map(with_priority);
        let budgets = line_items.iter().map(|_| Budget {
            per_second: 0.0,
            saved: random(),
            left: 0,
        });
        Self {
            budgets: budgets.collect(),
            by_id: line_items
                .iter()
                .enumerate()
                .map(|(at, item)| (item.id, at))
                .collect(),
            index: Index::new(&line_items),
            rivals: rivals(&plan, &items),
            of_priority,
            served: vec![0; items.len()],
            open: FixedBitSet::with_capacity(items.len()),
            opened_at: None,
            items,
            plan,
        }
    }

    /// The plan that the selector chooses from.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Sets the pace of a line item, and its maximum number of opportunities until the next measurement.
    pub fn set_pace(&mut self, line_item_id: i64, per_second: f64, most: u64) {
        if let Some(budget) = self
            .by_id
            .get(&line_item_id)
            .map(|at| &mut self.budgets[*at])
        {
            budget.per_second = per_second;
            budget.left = most;
        }
    }

    /// Takes over the budgets and counts of the previous plan's selector.
    pub fn take_over(&mut self, former: &Self) {
        for (id, at) in &former.by_id {
            if let Some(here) = self.by_id.get(id) {
                self.budgets[*here] = former.budgets[*at].clone();
                self.served[*here] = former.served[*at];
            }
        }
    }

    /// Returns and resets the number of opportunities served since the last call, by line item.
    pub fn take_served(&mut self) -> Vec<(i64, u64)> {
        let ids = self.by_id.iter();
        let served: Vec<_> = ids
            .map(|(id, at)| (*id, self.served[*at]))
            .filter(|(_, served)| *served > 0)
            .collect();
        self.served.fill(0);
        served
    }

    /// Restores counts that could not be reported.
    pub fn give_back_served(&mut self, served: &[(i64, u64)]) {
        for (id, count) in served {
            if let Some(at) = self.by_id.get(id) {
                self.served[*at] += count;
            }
        }
    }

    /// Chooses ads for the slots of a page, from top to bottom; `None` for an unfilled slot. A page shows a line item
    /// at most once, and at most one advertiser of each category.
    pub fn choose(
        &mut self,
        page: &PageContext,
        slots: &[Slot],
        (now, hour_of_week): (DateTime<Utc>, u8),
        random: &mut impl FnMut() -> f64,
    ) -> Vec<Option<Choice<'_>>> {
        self.look(now, hour_of_week);
        let mut eligible = self.open.clone();
        self.index.narrow(&mut eligible, page);
        let chosen: Vec<Option<(usize, usize)>> = slots
            .iter()
            .map(|slot| {
                let at = self.choose_item(&eligible, &slot.sizes, random)?;
                let creative = self.choose_creative(at, &slot.sizes, random)?;
                eligible.difference_with(&self.rivals[at]);
                self.take(at);
                Some((at, creative))
            })
            .collect();
        let this = &*self;
        let choice = |(at, creative): (usize, usize)| {
            let (campaign, item) = this.items[at];
            let campaign = &this.plan.campaigns[campaign];
            let line_item = &campaign.line_items[item];
            Choice {
                campaign,
                line_item,
                creative: &line_item.creatives[creative],
            }
        };
        chosen.into_iter().map(|found| found.map(choice)).collect()
    }

    fn item(&self, at: usize) -> &LineItem {
        let (campaign, item) = self.items[at];
        &self.plan.campaigns[campaign].line_items[item]
    }

    /// Updates the budgets and the set of line items that can be served.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds between two looks")]
    fn look(&mut self, now: DateTime<Utc>, hour: u8) {
        let passed = self.opened_at.map(|at| (now - at).num_milliseconds());
        if passed.is_some_and(|passed| (0..LOOKED_AT).contains(&passed)) {
            return;
        }
        let seconds = passed.unwrap_or(0).max(0) as f64 / 1_000.0;
        for at in 0..self.items.len() {
            let budget = &mut self.budgets[at];
            let room = (budget.per_second * SAVED_UP).max(1.0);
            budget.saved = (budget.saved + budget.per_second * seconds).min(room);
            let is_paced = self.of_priority[1].contains(at);
            let has_some = !is_paced || (budget.saved >= 1.0 && budget.left > 0);
            let (campaign, item) = self.items[at];
            let campaign = &self.plan.campaigns[campaign];
            let hours = &campaign.line_items[item].targeting.hours;
            let is_on = campaign.starts_at <= now && now < campaign.ends_at;
            let is_hour = hours.is_empty() || hours.contains(&hour);
            self.open.set(at, has_some && is_on && is_hour);
        }
        self.opened_at = Some(now);
    }

    fn choose_item(
        &self,
        eligible: &FixedBitSet,
        sizes: &[Size],
        random: &mut impl FnMut() -> f64,
    ) -> Option<usize> {
        let fitting = self.index.fitting(eligible, sizes);
        let [sponsors, standard, house] = &self.of_priority;
        self.choose_sponsor(&fitting, sponsors, random)
            .or_else(|| pick(&fitting, standard, random))
            .or_else(|| pick(&fitting, house, random))
    }

    /// Chooses one of the sponsorships with the probability of its share; shares of more than 100 percent in total are
    /// scaled down proportionally.
    fn choose_sponsor(
        &self,
        fitting: &FixedBitSet,
        sponsors: &FixedBitSet,
        random: &mut impl FnMut() -> f64,
    ) -> Option<usize> {
        let share = |at: usize| f64::from(self.item(at).share_of_voice);
        let all: f64 = fitting.intersection(sponsors).map(share).sum();
        if all <= 0.0 {
            return None;
        }
        let mut drawn = random() * all.max(100.0);
        fitting.intersection(sponsors).find(|at| {
            drawn -= share(*at);
            drawn < 0.0
        })
    }

    fn choose_creative(
        &self,
        at: usize,
        sizes: &[Size],
        random: &mut impl FnMut() -> f64,
    ) -> Option<usize> {
        let creatives = self.item(at).creatives.iter().enumerate();
        let fitting = creatives.filter(|(_, creative)| sizes.contains(&creative.size));
        let all: f64 = fitting
            .clone()
            .map(|(_, creative)| f64::from(creative.weight))
            .sum();
        let mut drawn = random() * all;
        let mut last = None;
        for (position, creative) in fitting {
            last = Some(position);
            drawn -= f64::from(creative.weight);
            if drawn < 0.0 {
                break;
            }
        }
        last
    }

    /// Counts an opportunity used by a line item.
    fn take(&mut self, at: usize) {
        self.served[at] += 1;
        if !self.of_priority[1].contains(at) {
            return;
        }
        let budget = &mut self.budgets[at];
        budget.saved -= 1.0;
        budget.left = budget.left.saturating_sub(1);
        if budget.saved < 1.0 || budget.left == 0 {
            self.open.set(at, false);
        }
    }
}

/// A random line item that is in both sets, with equal probabilities.
fn pick(one: &FixedBitSet, other: &FixedBitSet, random: &mut impl FnMut() -> f64) -> Option<usize> {
    let count = one.intersection_count(other);
    let mut both = one.intersection(other);
    (count > 0).then(|| both.nth(place(count, random())))?
}

/// The index of a drawn number among `count` items.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of line items"
)]
fn place(count: usize, drawn: f64) -> usize {
    ((drawn * count as f64) as usize).min(count.saturating_sub(1))
}

fn rivals(plan: &Plan, items: &[(usize, usize)]) -> Vec<FixedBitSet> {
    let campaign = |at: &(usize, usize)| &plan.campaigns[at.0];
    let mut of_category: HashMap<&str, FixedBitSet> = HashMap::new();
    let mut of_advertiser: HashMap<&str, FixedBitSet> = HashMap::new();
    let none = || FixedBitSet::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let Campaign {
            category,
            advertiser,
            ..
        } = campaign(item);
        if !category.is_empty() {
            of_category.entry(category).or_insert_with(none).insert(at);
        }
        of_advertiser
            .entry(advertiser)
            .or_insert_with(none)
            .insert(at);
    }
    let all = items.iter().enumerate();
    all.map(|(at, item)| {
        let Campaign {
            category,
            advertiser,
            ..
        } = campaign(item);
        let mut rivals = of_category
            .get(category.as_str())
            .cloned()
            .unwrap_or_else(none);
        if let Some(own) = of_advertiser.get(advertiser.as_str()) {
            rivals.difference_with(own);
        }
        rivals.insert(at);
        rivals
    })
    .collect()
}

#[cfg(test)]
mod tests;
