//! Processes that answer pages, with the engine that the gateway chooses with.

use ad_delivery::{Allowance, Engine, PageContext, Size, Slot};
use anyhow::ensure;
use chassis::call::{Call, Caller};
use chrono::{DateTime, Utc};
use cityguide_proto::ads::v1::SyncRequest;
use rand::{Rng as _, rngs::StdRng};
use uuid::Uuid;

use super::{TIMEOUT, program::Client, readers::Shown};

/// A page, and how many of a hundred are of its kind.
struct Kind {
    of_hundred: u32,
    page: &'static str,
    screen: &'static str,
    /// The width and the height of each slot.
    slots: &'static [(u16, u16)],
}

const KINDS: [Kind; 4] = [
    Kind {
        of_hundred: 20,
        page: "home",
        screen: "large",
        slots: &[(970, 90), (970, 250), (300, 250), (300, 250), (728, 90)],
    },
    Kind {
        of_hundred: 30,
        page: "article",
        screen: "x_small",
        slots: &[(320, 100), (300, 250), (300, 250), (320, 50)],
    },
    Kind {
        of_hundred: 30,
        page: "article",
        screen: "large",
        slots: &[
            (970, 90),
            (300, 250),
            (300, 250),
            (970, 250),
            (728, 90),
            (300, 250),
        ],
    },
    Kind {
        of_hundred: 20,
        page: "place",
        screen: "small",
        slots: &[(728, 90), (300, 250), (300, 250)],
    },
];

/// The pages of each kind with their slots.
pub(super) struct Pages(Vec<(u32, PageContext, Vec<Slot>)>);

impl Pages {
    pub(super) fn new() -> Self {
        let kinds = KINDS.iter().map(|kind| {
            let page = PageContext {
                page: kind.page.to_owned(),
                screen: kind.screen.to_owned(),
                ..PageContext::default()
            };
            let sizes = kind.slots.iter().enumerate();
            let slots = sizes.map(|(at, (width, height))| Slot {
                position: format!("slot-{at}"),
                sizes: Size::new(*width, *height).into_iter().collect(),
            });
            (kind.of_hundred, page, slots.collect())
        });
        Self(kinds.collect())
    }

    fn draw(&self, chance: &mut StdRng) -> &(u32, PageContext, Vec<Slot>) {
        let mut drawn = chance.random_range(0..100);
        let found = self.0.iter().find(|(of_hundred, ..)| {
            let is_it = drawn < *of_hundred;
            drawn = drawn.saturating_sub(*of_hundred);
            is_it
        });
        found.unwrap_or(&self.0[0])
    }
}

/// A process that answers pages.
pub(super) struct Gateway {
    engine: Engine,
    client: Client,
}

impl Gateway {
    pub(super) fn new(client: Client, chance: &mut StdRng) -> Self {
        Self {
            engine: Engine::new(uuid(chance)),
            client,
        }
    }

    /// Goes on with the service's next process.
    pub(super) fn reconnect(&mut self, client: Client) {
        self.client = client;
    }

    /// Answers a page; returns what it shows.
    pub(super) fn answer(
        &mut self,
        pages: &Pages,
        (now, hour): (DateTime<Utc>, u8),
        chance: &mut StdRng,
    ) -> Vec<Shown> {
        let (_, page, slots) = pages.draw(chance);
        // The slots' chance; the opportunities' ids are drawn from the same numbers afterwards.
        let chosen = {
            let mut drawn = || chance.random();
            self.engine.choose(page, slots, (now, hour), &mut drawn)
        };
        let shown = chosen.into_iter().zip(slots).filter_map(|(choice, slot)| {
            let choice = choice?;
            Some((
                choice.line_item.id,
                choice.creative.id,
                slot.position.clone(),
            ))
        });
        let shown: Vec<_> = shown.collect();
        let opportunity = |(line_item_id, creative_id, position)| Shown {
            opportunity: uuid(chance),
            line_item_id,
            creative_id,
            position,
            served_at: now,
        };
        shown.into_iter().map(opportunity).collect()
    }

    /// Reports what was served, and takes what may be; false if the service did not answer.
    pub(super) async fn sync(&mut self, mut chance: StdRng) -> anyhow::Result<bool> {
        let (request, reported): (SyncRequest, _) = self.engine.report();
        let call = Call::new(Caller::Operator, TIMEOUT).request(request);
        let Ok(answer) = self.client.sync(call).await else {
            self.engine.give_back(reported);
            return Ok(false);
        };
        let mut drawn = || chance.random();
        let (allowance, unreadable) = Allowance::read(answer.into_inner(), &mut drawn);
        ensure!(unreadable.is_empty(), "{unreadable:?}");
        self.engine.take(allowance);
        Ok(true)
    }
}

fn uuid(chance: &mut StdRng) -> Uuid {
    Uuid::from_u128(chance.random())
}
