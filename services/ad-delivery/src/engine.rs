//! The in-memory state of a process that serves pages: its plan, and its exchange with the ads service.

use std::collections::{BTreeMap, HashMap};

use ads_proto::v1::{Rate, Refused, Served, SyncRequest, SyncResponse};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    page::{PageContext, Slot},
    plan::{Creative, Plan},
    selector::{Choice, Selector},
    wire::campaign_from_wire,
};

/// The positions of a plan's creatives by id: indexes of the campaign, the line item and the creative.
type Places = HashMap<i64, (usize, usize, usize)>;

/// The maximum number of line items in a report.
const MAX_SERVED: usize = 10_000;

/// Chooses ads for pages, and counts what was served until it is reported.
#[derive(Debug, Clone)]
pub struct Engine {
    /// The UUID of the process.
    id: Uuid,
    selector: Selector,
    creatives: Places,
    revision: i64,
    pages: u64,
    refused: BTreeMap<&'static str, u64>,
}

/// The content of a report, kept until its delivery is confirmed.
#[derive(Debug)]
pub struct Reported {
    pages: u64,
    /// The number of opportunities by line item.
    served: Vec<(i64, u64)>,
    refused: BTreeMap<&'static str, u64>,
}

/// The service's allowance until the next call.
#[derive(Debug)]
pub struct Allowance {
    /// The new plan; absent if the engine already has the current plan.
    plan: Option<(Selector, Places)>,
    rates: Vec<Rate>,
    revision: i64,
}

/// A campaign that cannot be served.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The name of the campaign's file.
    pub campaign: String,
    /// The reason that the campaign cannot be served.
    pub why: String,
}

impl Engine {
    /// An engine without a plan.
    #[must_use]
    pub fn new(id: Uuid) -> Self {
        Self {
            id,
            selector: Selector::new(Plan::default(), &mut || 0.0),
            creatives: HashMap::new(),
            revision: 0,
            pages: 0,
            refused: BTreeMap::new(),
        }
    }

    /// Chooses ads for the slots of a page, from top to bottom, at an instant and its local hour of the week. `random`
    /// draws numbers from 0 to 1.
    pub fn choose(
        &mut self,
        page: &PageContext,
        slots: &[Slot],
        now: (DateTime<Utc>, u8),
        random: &mut impl FnMut() -> f64,
    ) -> Vec<Option<Choice<'_>>> {
        self.pages += 1;
        self.selector.choose(page, slots, now, random)
    }

    /// The revision of the current plan; 0 if there is none.
    #[must_use]
    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// The current plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.selector.plan()
    }

    /// A creative of the plan.
    #[must_use]
    pub fn creative(&self, id: i64) -> Option<&Creative> {
        let (campaign, item, creative) = *self.creatives.get(&id)?;
        let campaign = self.selector.plan().campaigns.get(campaign)?;
        campaign.line_items.get(item)?.creatives.get(creative)
    }

    /// Counts refused events.
    pub fn refuse(&mut self, reason: &'static str, count: u64) {
        *self.refused.entry(reason).or_default() += count;
    }

    /// Returns the request that reports everything since the last report, and the data to give back if the call fails.
    #[must_use]
    pub fn report(&mut self) -> (SyncRequest, Reported) {
        let mut served = self.selector.take_served();
        let later = served.split_off(served.len().min(MAX_SERVED));
        self.selector.give_back_served(&later);
        let reported = Reported {
            pages: std::mem::take(&mut self.pages),
            served,
            refused: std::mem::take(&mut self.refused),
        };
        let request = SyncRequest {
            server: self.id.as_bytes().to_vec(),
            revision: self.revision,
            pages: reported.pages,
            served: reported
                .served
                .iter()
                .map(|(line_item_id, count)| Served {
                    line_item_id: *line_item_id,
                    count: *count,
                })
                .collect(),
            refused: reported
                .refused
                .iter()
                .map(|(reason, count)| Refused {
                    reason: (*reason).to_owned(),
                    count: *count,
                })
                .collect(),
        };
        (request, reported)
    }

    /// Restores the data of a failed report, for the next report.
    pub fn give_back(&mut self, reported: Reported) {
        self.selector.give_back_served(&reported.served);
        self.pages += reported.pages;
        for (reason, count) in reported.refused {
            self.refuse(reason, count);
        }
    }

    /// Applies the service's allowance.
    pub fn take(&mut self, allowance: Allowance) {
        if let Some((mut selector, creatives)) = allowance.plan {
            selector.take_over(&self.selector);
            self.selector = selector;
            self.creatives = creatives;
        }
        for rate in allowance.rates {
            let (id, per_second) = (rate.line_item_id, rate.per_second);
            self.selector.set_pace(id, per_second, rate.most);
        }
        self.revision = allowance.revision;
    }
}

impl Allowance {
    /// Converts a response of the service, and prepares its plan if it contains a new plan: work that no page should
    /// wait for. Also returns the campaigns that cannot be served. `random` draws numbers from 0 to 1.
    pub fn read(answer: SyncResponse, random: &mut impl FnMut() -> f64) -> (Self, Vec<Unreadable>) {
        let mut unreadable = Vec::new();
        let plan = answer.plan.map(|plan| {
            let mut campaigns = Vec::with_capacity(plan.campaigns.len());
            for campaign in &plan.campaigns {
                match campaign_from_wire(campaign) {
                    Ok(campaign) => campaigns.push(campaign),
                    Err(why) => unreadable.push(Unreadable {
                        campaign: campaign.source_id.clone(),
                        why,
                    }),
                }
            }
            let plan = Plan { campaigns };
            let creatives = creatives(&plan);
            (Selector::new(plan, random), creatives)
        });
        let allowance = Self {
            plan,
            rates: answer.rates,
            revision: answer.revision,
        };
        (allowance, unreadable)
    }
}

fn creatives(plan: &Plan) -> Places {
    let mut found = HashMap::new();
    for (campaign_at, campaign) in plan.campaigns.iter().enumerate() {
        for (item_at, item) in campaign.line_items.iter().enumerate() {
            for (at, creative) in item.creatives.iter().enumerate() {
                found.insert(creative.id, (campaign_at, item_at, at));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use ads_proto::v1::{Campaign, Creative, LineItem, Plan as ProtoPlan, Priority, creative};
    use prost_types::Timestamp;

    use super::*;
    use crate::size::Size;

    const CREATIVE: i64 = 7;

    fn campaign() -> Campaign {
        Campaign {
            id: 1,
            source_id: "kayaks".to_owned(),
            advertiser_source_id: "paddlers".to_owned(),
            advertiser_name: "The Paddlers".to_owned(),
            name: "Kayaks in the morning".to_owned(),
            starts_at: Some(Timestamp::default()),
            ends_at: Some(Timestamp {
                seconds: 4_000_000_000,
                nanos: 0,
            }),
            line_items: vec![LineItem {
                id: 3,
                source_id: "all".to_owned(),
                priority: Priority::Standard.into(),
                goal: 100,
                creatives: vec![Creative {
                    id: CREATIVE,
                    source_id: "box".to_owned(),
                    width: 300,
                    height: 250,
                    weight: 1,
                    landing: "/".to_owned(),
                    alternative: "A kayak".to_owned(),
                    content: Some(creative::Content::Html("<p>Paddle!</p>".to_owned())),
                }],
                ..LineItem::default()
            }],
            ..Campaign::default()
        }
    }

    fn answer(campaigns: Vec<Campaign>) -> SyncResponse {
        SyncResponse {
            revision: 5,
            plan: Some(ProtoPlan { campaigns }),
            rates: vec![Rate {
                line_item_id: 3,
                per_second: 10.0,
                most: 100,
            }],
        }
    }

    fn engine() -> Engine {
        let mut engine = Engine::new(Uuid::from_u128(9));
        let (allowance, unreadable) = Allowance::read(answer(vec![campaign()]), &mut || 1.0);
        assert_eq!(unreadable, []);
        engine.take(allowance);
        engine
    }

    fn serve(engine: &mut Engine) -> Option<i64> {
        let slot = Slot {
            position: "side".to_owned(),
            sizes: Size::new(300, 250).into_iter().collect(),
        };
        let now = DateTime::from_timestamp(1_000, 0).unwrap_or_default();
        let page = PageContext::default();
        let chosen = engine.choose(&page, &[slot], (now, 0), &mut || 0.5);
        chosen[0].map(|choice| choice.creative.id)
    }

    #[test]
    fn what_is_served_is_reported_once_and_again_if_the_report_was_lost() {
        let mut engine = engine();
        assert_eq!(serve(&mut engine), Some(CREATIVE));
        engine.refuse("forged", 2);
        let (lost, reported) = engine.report();
        assert_eq!((lost.pages, lost.revision), (1, 5));
        engine.give_back(reported);
        let (again, _) = engine.report();
        assert_eq!((lost.served, lost.refused), (again.served, again.refused));
        assert_eq!(again.pages, 1);
        let (nothing, _) = engine.report();
        assert_eq!((nothing.pages, nothing.served), (0, Vec::new()));
    }

    #[test]
    fn a_creative_of_the_plan_is_found_until_the_next_plan_lacks_it() {
        let mut engine = engine();
        assert!(engine.creative(CREATIVE).is_some());
        assert!(engine.creative(CREATIVE + 1).is_none());
        engine.take(Allowance::read(answer(Vec::new()), &mut || 1.0).0);
        assert!(engine.creative(CREATIVE).is_none());
    }

    #[test]
    fn a_campaign_that_cannot_be_read_is_named_and_the_others_are_served() {
        let mut broken = campaign();
        broken.source_id = "broken".to_owned();
        broken.line_items[0].creatives[0].width = 0;
        let (allowance, unreadable) =
            Allowance::read(answer(vec![broken, campaign()]), &mut || 1.0);
        assert_eq!(unreadable.len(), 1);
        assert_eq!(unreadable[0].campaign, "broken");
        let mut engine = Engine::new(Uuid::from_u128(9));
        engine.take(allowance);
        assert_eq!(serve(&mut engine), Some(CREATIVE));
    }
}
