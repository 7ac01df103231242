//! Calls that need what is faulty: the time to their answers, that while their service is left alone, and the time
//! until they are answered as usual after the fault's end.

use std::{
    collections::{BTreeSet, HashSet},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use futures::future::try_join_all;
use serde::Serialize;
use tokio::time::timeout;

use super::{
    CONNECTIONS,
    calls::{self, Call, World},
};
use crate::{
    database::Database,
    figures::{Target, quantile},
    load::Connection,
};

/// The longest time to an answer, ms.
const ANSWERED: Target = Target::AtMost(1100.0);
/// The 99th percentile of the times, ms, while the service is left alone.
const SPARED: Target = Target::AtMost(50.0);
/// The time until the usual answer after the fault's end, ms.
const RECOVERED: Target = Target::AtMost(2000.0);
/// The time until all events of the fault's time have left the outbox, ms.
const DRAINED: Target = Target::AtMost(30_000.0);
/// Services are left alone within this time, or never.
const OPENS_WITHIN: Duration = Duration::from_secs(15);
/// The time between two looks at the gateway's metrics.
const LOOK: Duration = Duration::from_millis(50);
/// The time between two attempts of a client that waits for the usual answer.
const AGAIN: Duration = Duration::from_millis(10);
/// Nothing that is measured here takes longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// All calls that need what is faulty.
pub(super) struct Needed {
    calls: Vec<Timed>,
    /// Whether events wait for what is faulty, and the times, ms, until they had left.
    waits: bool,
    drained: Vec<f64>,
}

/// A call, and its times in milliseconds.
struct Timed {
    call: Call,
    callees: &'static [&'static str],
    times: Mutex<Times>,
    recovered: Vec<f64>,
}

#[derive(Default)]
struct Times {
    all: Vec<f64>,
    /// Of those that were sent while the service was left alone.
    spared: Vec<f64>,
    statuses: BTreeSet<u16>,
}

/// A row of the table.
#[derive(Debug, Serialize)]
pub(crate) struct NeededRow {
    fault: String,
    call: String,
    statuses: BTreeSet<u16>,
    answered: Option<Bounded>,
    spared: Option<Bounded>,
    recovered: Bounded,
}

/// A time in milliseconds, and its bound.
#[derive(Debug, Serialize)]
struct Bounded {
    milliseconds: f64,
    reach: String,
    is_met: bool,
}

impl Bounded {
    fn new(milliseconds: f64, reach: Target) -> Self {
        Self {
            milliseconds,
            reach: reach.text(),
            is_met: reach.is_met(milliseconds),
        }
    }
}

impl Timed {
    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_spared(&self, open: &HashSet<String>) -> bool {
        self.callees.iter().any(|callee| open.contains(*callee))
    }
}

impl Needed {
    pub(super) fn new(faulty: &str) -> Self {
        let calls = calls::needing(faulty).iter().map(|(call, callees)| Timed {
            call: *call,
            callees,
            times: Mutex::default(),
            recovered: Vec::new(),
        });
        Self {
            calls: calls.collect(),
            waits: faulty == "rabbitmq",
            drained: Vec::new(),
        }
    }

    /// Asks again and again, until every service has been left alone for the time of a turn.
    pub(super) async fn meet(&self, world: &World, turn: Duration) -> anyhow::Result<()> {
        if self.calls.is_empty() {
            return Ok(());
        }
        let open = Mutex::new(HashSet::new());
        let number = AtomicUsize::new(0);
        let asking = try_join_all((0..CONNECTIONS).map(async |_| {
            let mut connection = Connection::open(&world.site).await?;
            loop {
                let at = number.fetch_add(1, Ordering::Relaxed) % self.calls.len();
                let one = &self.calls[at];
                let is_spared = one.is_spared(&open.lock().unwrap_or_else(PoisonError::into_inner));
                let begun = Instant::now();
                let answer = connection.ask(&world.request(one.call)).await?;
                let time = milliseconds(begun.elapsed());
                let mut times = one.times();
                times.all.push(time);
                times.spared.extend(is_spared.then_some(time));
                times.statuses.insert(answer.status);
            }
            #[expect(unreachable_code, reason = "it names the error's type")]
            anyhow::Ok(())
        }));
        tokio::select! {
            asked = asking => asked.map(drop),
            watched = self.watch(world, turn, &open) => watched,
        }
    }

    /// Notes which services are left alone, until all have been for the time of a turn.
    async fn watch(
        &self,
        world: &World,
        turn: Duration,
        open: &Mutex<HashSet<String>>,
    ) -> anyhow::Result<()> {
        let begun = Instant::now();
        let mut since = None;
        loop {
            let now = world.left_alone().await?;
            let all_are = self.calls.iter().all(|one| one.is_spared(&now));
            *open.lock().unwrap_or_else(PoisonError::into_inner) = now;
            if all_are && since.get_or_insert_with(Instant::now).elapsed() >= turn {
                return Ok(());
            }
            ensure!(
                since.is_some() || begun.elapsed() < OPENS_WITHIN,
                "a service that does not answer is not left alone"
            );
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until every call is answered as usual, and no event waits.
    pub(super) async fn recover(
        &mut self,
        world: &World,
        database: &mut Database,
    ) -> anyhow::Result<()> {
        let begun = Instant::now();
        let recovering = self.calls.iter_mut().map(async |one| {
            let mut connection = Connection::open(&world.site).await?;
            while connection.ask(&world.request(one.call)).await?.status != one.call.status {
                tokio::time::sleep(AGAIN).await;
            }
            one.recovered.push(milliseconds(begun.elapsed()));
            anyhow::Ok(())
        });
        let recovered = timeout(PATIENCE, try_join_all(recovering)).await;
        recovered.context("the site does not recover")??;
        if self.waits {
            database.drained().await?;
            self.drained.push(milliseconds(begun.elapsed()));
        }
        // The other calls of these services are tried, too, before the next turn without a fault.
        while !world.left_alone().await?.is_empty() {
            ensure!(begun.elapsed() < PATIENCE, "a service is left alone still");
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// The last round, as text.
    pub(super) fn last(&self) -> String {
        let each = self.calls.iter().map(|one| {
            let last = one.recovered.last().copied().unwrap_or(f64::NAN);
            let longest = one.times().all.iter().copied().fold(0.0, f64::max);
            format!("; {}: {longest:.0} ms, back in {last:.0}", one.call.name)
        });
        let drained = self.drained.last();
        let drained = drained.map(|time| format!("; events: {time:.0} ms"));
        each.chain(drained).collect()
    }

    pub(super) fn rows(&self, fault: &str) -> Vec<NeededRow> {
        let calls = self.calls.iter().map(|one| {
            let mut times = one.times();
            times.spared.sort_by(f64::total_cmp);
            NeededRow {
                fault: fault.to_owned(),
                call: one.call.name.to_owned(),
                statuses: times.statuses.clone(),
                answered: Some(Bounded::new(longest(&times.all), ANSWERED)),
                spared: Some(Bounded::new(quantile(&times.spared, 99), SPARED)),
                recovered: Bounded::new(longest(&one.recovered), RECOVERED),
            }
        });
        let events = self.waits.then(|| NeededRow {
            fault: fault.to_owned(),
            call: "events that waited".to_owned(),
            statuses: BTreeSet::new(),
            answered: None,
            spared: None,
            recovered: Bounded::new(longest(&self.drained), DRAINED),
        });
        calls.chain(events).collect()
    }
}

fn longest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::NAN, f64::max)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed(all: &[f64], spared: &[f64], recovered: &[f64]) -> Needed {
        let mut needed = Needed::new("places");
        for one in &mut needed.calls {
            one.recovered = recovered.to_vec();
            one.times = Mutex::new(Times {
                all: all.to_vec(),
                spared: spared.to_vec(),
                statuses: BTreeSet::from([503]),
            });
        }
        needed
    }

    #[test]
    fn the_longest_answer_the_usual_one_when_spared_and_the_recovery_are_bounded() {
        let mut spared = vec![1.0; 200];
        // The call that tries again waits for as long as any.
        spared.push(1_000.0);
        let rows = needed(&[1.0, 1_090.0], &spared, &[700.0, 1_900.0]).rows("a fault");
        assert_eq!(rows.len(), 2);
        for row in &rows {
            let (answered, spared) = (row.answered.as_ref(), row.spared.as_ref());
            assert!(answered.is_some_and(|time| time.is_met), "{row:?}");
            assert!(spared.is_some_and(|time| time.is_met), "{row:?}");
            assert!(row.recovered.is_met, "{row:?}");
        }
        let rows = needed(&[1_200.0], &[60.0], &[2_100.0]).rows("a fault");
        let row = &rows[0];
        let (answered, spared) = (row.answered.as_ref(), row.spared.as_ref());
        assert!(answered.is_some_and(|time| !time.is_met), "{row:?}");
        assert!(spared.is_some_and(|time| !time.is_met), "{row:?}");
        assert!(!row.recovered.is_met, "{row:?}");
    }

    #[test]
    fn a_service_that_was_never_left_alone_misses_its_bound() {
        let rows = needed(&[1.0], &[], &[1.0]).rows("a fault");
        let spared = rows[0].spared.as_ref();
        assert!(spared.is_some_and(|time| !time.is_met));
    }
}
