//! Readers: what they do with the ads of their pages, and the events that their browsers send until they are answered.

use std::collections::{BTreeMap, VecDeque};

use anyhow::{bail, ensure};
use chassis::{
    call::{Call, Caller},
    instant,
};
use chrono::{DateTime, Utc};
use cityguide_proto::ads::v1::{Event, EventKind, Outcome, RecordEventsRequest};
use futures::future::join_all;
use rand::{Rng as _, rngs::StdRng};
use uuid::Uuid;

use super::{TIMEOUT, program::Client};

/// The events of one call.
const EACH_CALL: usize = 100;
/// The ads of a hundred that readers never scroll to.
const UNSEEN: u32 = 25;
/// The seen ads of a hundred that are in view for a second, and those that are followed.
const VIEWED: u32 = 20;
const FOLLOWED: u32 = 1;

/// An ad on a page.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) opportunity: Uuid,
    pub(super) line_item_id: i64,
    pub(super) creative_id: i64,
    pub(super) position: String,
    pub(super) served_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
struct Pending {
    kind: EventKind,
    shown: Shown,
    /// A call with it was not answered: it may have been counted all the same.
    is_doubtful: bool,
}

/// Everybody who looks at pages.
#[derive(Debug, Default)]
pub(super) struct Readers {
    /// Events by the tick at which they are sent; the first is the next one.
    due: VecDeque<Vec<Pending>>,
    /// Distinct events that were sent, by line item and kind.
    pub(super) sent: BTreeMap<(i64, i16), i64>,
    /// Events that had been counted although their first call was not answered.
    pub(super) repeated: u64,
    /// Calls that were not answered.
    pub(super) unanswered: u64,
}

impl Readers {
    /// Looks at an ad, or does not.
    pub(super) fn look(&mut self, shown: Shown, chance: &mut StdRng) {
        if chance.random_range(0..100) >= UNSEEN {
            // A second later, and so with the tick after the next one at the latest.
            self.later(1, EventKind::Impression, shown);
        }
    }

    fn later(&mut self, ticks: usize, kind: EventKind, shown: Shown) {
        *self
            .sent
            .entry((shown.line_item_id, number(kind)))
            .or_default() += 1;
        self.put(
            ticks,
            Pending {
                kind,
                shown,
                is_doubtful: false,
            },
        );
    }

    fn put(&mut self, ticks: usize, event: Pending) {
        while self.due.len() <= ticks {
            self.due.push_back(Vec::new());
        }
        self.due[ticks].push(event);
    }

    pub(super) fn is_done(&self) -> bool {
        self.due.iter().all(Vec::is_empty)
    }

    /// Sends what is due. What is not answered is sent again with the next tick.
    pub(super) async fn send(
        &mut self,
        client: &Client,
        chance: &mut StdRng,
    ) -> anyhow::Result<()> {
        let due = self.due.pop_front().unwrap_or_default();
        let calls = due.chunks(EACH_CALL).map(|events| async move {
            let request = RecordEventsRequest {
                events: events.iter().map(wire).collect(),
            };
            let call = Call::new(Caller::Guest, TIMEOUT).request(request);
            let answer = client.clone().record_events(call).await;
            (events, answer)
        });
        for (events, answer) in join_all(calls).await {
            let Ok(answer) = answer else {
                self.unanswered += 1;
                for event in events {
                    let mut event = event.clone();
                    event.is_doubtful = true;
                    self.put(0, event);
                }
                continue;
            };
            let answer = answer.into_inner();
            ensure!(
                answer.outcomes.len() == events.len(),
                "events without an outcome"
            );
            for (event, outcome) in events.iter().zip(answer.outcomes()) {
                self.answered(event, outcome, chance)?;
            }
        }
        Ok(())
    }

    fn answered(
        &mut self,
        event: &Pending,
        outcome: Outcome,
        chance: &mut StdRng,
    ) -> anyhow::Result<()> {
        match outcome {
            Outcome::Counted => {}
            Outcome::Repeated if event.is_doubtful => self.repeated += 1,
            other => bail!("{event:?} was answered {other:?}"),
        }
        if event.kind == EventKind::Impression {
            if chance.random_range(0..100) < VIEWED {
                self.later(0, EventKind::Viewable, event.shown.clone());
            }
            if chance.random_range(0..100) < FOLLOWED {
                self.later(1, EventKind::Click, event.shown.clone());
            }
        }
        Ok(())
    }
}

fn number(kind: EventKind) -> i16 {
    i16::try_from(i32::from(kind)).unwrap_or_default()
}

fn wire(event: &Pending) -> Event {
    let shown = &event.shown;
    Event {
        kind: event.kind.into(),
        opportunity: shown.opportunity.as_bytes().to_vec(),
        line_item_id: shown.line_item_id,
        creative_id: shown.creative_id,
        position: shown.position.clone(),
        served_at: Some(instant::to_proto(shown.served_at)),
        is_bot: false,
    }
}
