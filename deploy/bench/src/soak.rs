//! `bench soak`: a modest load by every kind of visitor, including hostile visitors, for an hour, and the memory of the
//! site's processes during this time.

mod readers;
mod visitors;

use std::{
    collections::BTreeMap,
    fs,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::{Context, ensure};
use serde::Deserialize;
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

use self::visitors::{Kind, Load, Visit};
use crate::{
    city::City,
    harness::{Bench, Turn, float},
    plan::Process,
    progress,
    results::{Measure, Target, median},
};

/// Maximum number of concurrent visitors of a kind; above it, arrivals are skipped.
const MOST_AT_ONCE: usize = 512;
/// The time between two samples of the memory.
const EVERY: Duration = Duration::from_secs(5);
const PER_MINUTE: usize = 12;
/// The divisor for the number of compared samples at either end: a sixth, ten minutes of an hour.
const PART: usize = 6;
/// Maximum ratio of the memory at the end to the memory at the beginning.
const GROWTH: f64 = 1.1;
/// Maximum number of unexpected responses that are reported individually.
const EXAMPLES: usize = 20;
/// Status for a connection that the site closed without a response.
const CLOSED: u16 = 0;

/// Duration of the load, and the number of requests per second.
#[derive(Debug, Deserialize)]
struct Size {
    minutes: u64,
    rate: u32,
}

/// Number of responses by kind of visitor and by status.
#[derive(Debug, Default)]
struct Tally(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    answers: BTreeMap<(&'static str, u16), u64>,
    unexpected: u64,
    examples: Vec<String>,
}

impl Tally {
    /// Counts a response; an unexpected status is reported at the end.
    fn note(&self, kind: &'static str, status: u16, expected: &[u16], what: &str) {
        let mut counts = self.counts();
        *counts.answers.entry((kind, status)).or_default() += 1;
        if !expected.contains(&status) {
            counts.fail(format!("{kind}: {what} was answered {status}"));
        }
    }

    fn total(&self) -> f64 {
        float(self.counts().answers.values().sum())
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn fail(&mut self, what: String) {
        self.unexpected += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(what);
        }
    }
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let Size { minutes, rate } = bench.plan.options()?;
    ensure!(minutes > 0 && rate > 0, "there must be some load");
    let site = bench.plan.site.clone();
    let city = City::explore(&reqwest::Client::new(), &site.address).await?;
    let processes = site.processes.clone();
    let load = Arc::new(Load::new(site, city));
    let begun = Instant::now();
    let end = begun + Duration::from_mins(minutes);
    let mut visitors = JoinSet::new();
    for kind in visitors::ALL.iter() {
        let per_second = f64::from(rate) * kind.share / 10_000.0;
        visitors.spawn(arrive(Arc::clone(&load), kind, per_second, end));
    }
    let samples = watch(&load.tally, &processes, minutes).await;
    visitors.shutdown().await;
    let samples = samples?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = load.tally.total() / seconds;
    bench.about(format!("{minutes} minutes, {rate:.0} requests/s"));
    for (process, samples) in processes.iter().zip(samples) {
        memory(bench, process, &samples);
    }
    let counts = load.tally.counts();
    for ((kind, status), number) in &counts.answers {
        progress(&format!("  {kind:<36} {status:>3} {number:>9}"));
    }
    if counts.unexpected > 0 {
        let examples = counts.examples.join("\n");
        let failure = format!("{} unexpected answers:\n{examples}", counts.unexpected);
        bench.results.failures.push(failure);
    }
    Ok(())
}

/// Adds a row for the memory of a process: compares the last sixth of the samples with the first.
fn memory(bench: &mut Bench, process: &Process, samples: &[f64]) {
    let part = samples.len().div_ceil(PART);
    let of = |samples: &[f64]| median(samples.iter().copied());
    let [first, last] = [of(&samples[..part]), of(&samples[samples.len() - part..])];
    let name = format!("memory of {}, last sixth of the time, MiB", process.name);
    let measure = Measure::new(name, "first sixth", Target::AtMost(GROWTH));
    bench.record(&[measure], &[(Turn::of(vec![last]), Turn::of(vec![first]))]);
    if last > first * GROWTH {
        let name = &process.name;
        let failure = format!("the memory of {name} has grown from {first:.1} to {last:.1} MiB");
        bench.results.failures.push(failure);
    }
}

/// Lets visitors of a kind arrive at their rate until the end.
async fn arrive(load: Arc<Load>, kind: &'static Kind, per_second: f64, end: Instant) {
    let mut ticks = interval(Duration::from_secs_f64(1.0 / per_second));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut visits = JoinSet::new();
    for number in 1.. {
        ticks.tick().await;
        if Instant::now() >= end {
            break;
        }
        while visits.try_join_next().is_some() {}
        if visits.len() >= MOST_AT_ONCE {
            continue;
        }
        let visit = Visit::new(Arc::clone(&load), kind, number);
        visits.spawn(async move {
            let load = Arc::clone(&visit.load);
            if let Err(error) = visit.run().await {
                let failure = format!("{}: {error:#}", kind.name);
                load.tally.counts().fail(failure);
            }
        });
    }
    // Aborts unfinished visits.
    visits.shutdown().await;
}

/// Samples the memory until the end, and prints a line every minute; returns the samples of each process in MiB.
async fn watch(
    tally: &Tally,
    processes: &[Process],
    minutes: u64,
) -> anyhow::Result<Vec<Vec<f64>>> {
    let mut samples = vec![Vec::new(); processes.len()];
    let mut ticks = interval(EVERY);
    ticks.tick().await;
    let mut before = 0.0;
    for minute in 1..=minutes {
        for _ in 0..PER_MINUTE {
            ticks.tick().await;
            for (process, samples) in processes.iter().zip(&mut samples) {
                samples.push(resident(process.id).with_context(|| process.name.clone())?);
            }
        }
        let total = tally.total();
        let of_minute = |samples: &Vec<f64>| median(samples.iter().rev().take(PER_MINUTE).copied());
        let memory: Vec<f64> = samples.iter().map(of_minute).collect();
        let rate = (total - before) / 60.0;
        let counts = tally.counts();
        let (unexpected, last) = (counts.unexpected, counts.examples.last());
        progress(&format!(
            "  minute {minute:>3}  {memory:.1?} MiB  {rate:.0} requests/s, {unexpected} unexpected {last:?}"
        ));
        before = total;
    }
    Ok(samples)
}

/// Returns the resident memory of a process in MiB (`proc_pid_status(5)`). Fails for a process that has ended, which
/// has no such line.
fn resident(id: u32) -> anyhow::Result<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    Ok(kib.context("the process has ended")?.parse::<f64>()? / 1024.0)
}
