//! Calls that do not need what is faulty: their rate with the fault beside that without.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use futures::future::try_join_all;
use serde::Serialize;

use super::{
    CONNECTIONS,
    calls::{Call, World},
};
use crate::{
    figures::{Target, median},
    load::Connection,
};

/// A call, and its turns.
pub(super) struct Apart {
    call: Call,
    /// Requests per second without the fault.
    undisturbed: Vec<f64>,
    /// With it.
    disturbed: Vec<f64>,
    /// Answers of another status than the usual one.
    failed: u64,
}

/// A row of the table.
#[derive(Debug, Serialize)]
pub(crate) struct ApartRow {
    fault: String,
    call: &'static str,
    undisturbed: f64,
    disturbed: f64,
    ratios: Vec<f64>,
    /// Their median.
    ratio: f64,
    failed: u64,
    reach: String,
    is_met: bool,
}

impl Apart {
    pub(super) fn new(call: Call) -> Self {
        Self {
            call,
            undisturbed: Vec::new(),
            disturbed: Vec::new(),
            failed: 0,
        }
    }

    pub(super) async fn undisturbed(
        &mut self,
        world: &World,
        turn: Duration,
    ) -> anyhow::Result<()> {
        let (rate, failed) = self.turn(world, turn).await?;
        anyhow::ensure!(failed == 0, "{} fails without a fault", self.call.name);
        self.undisturbed.push(rate);
        Ok(())
    }

    pub(super) async fn disturbed(&mut self, world: &World, turn: Duration) -> anyhow::Result<()> {
        let (rate, failed) = self.turn(world, turn).await?;
        self.disturbed.push(rate);
        self.failed += failed;
        Ok(())
    }

    /// Sends the call for the time of a turn. Returns the requests per second, and the number of those that failed.
    pub(super) async fn turn(&self, world: &World, turn: Duration) -> anyhow::Result<(f64, u64)> {
        let call = self.call;
        let (done, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        let begun = Instant::now();
        try_join_all((0..CONNECTIONS).map(async |_| {
            let mut connection = Connection::open(world.address(call)).await?;
            while begun.elapsed() < turn {
                let answer = connection.ask(&world.request(call)).await?;
                done.fetch_add(1, Ordering::Relaxed);
                if answer.status != call.status {
                    failed.fetch_add(1, Ordering::Relaxed);
                }
            }
            anyhow::Ok(())
        }))
        .await?;
        let done = u32::try_from(done.into_inner()).map_or(f64::INFINITY, f64::from);
        Ok((done / begun.elapsed().as_secs_f64(), failed.into_inner()))
    }

    fn ratios(&self) -> Vec<f64> {
        let both = self.disturbed.iter().zip(&self.undisturbed);
        both.map(|(with, without)| with / without).collect()
    }

    /// The last round, as text.
    pub(super) fn last(&self) -> String {
        let ratio = self.ratios().last().copied().unwrap_or(f64::NAN);
        format!("{} {ratio:.2}", self.call.name)
    }

    pub(super) fn row(self, fault: String, reach: Target) -> ApartRow {
        let ratios = self.ratios();
        let ratio = median(&ratios);
        ApartRow {
            fault,
            call: self.call.name,
            undisturbed: median(&self.undisturbed),
            disturbed: median(&self.disturbed),
            ratio,
            failed: self.failed,
            reach: reach.text(),
            is_met: reach.is_met(ratio) && self.failed == 0,
            ratios,
        }
    }
}
