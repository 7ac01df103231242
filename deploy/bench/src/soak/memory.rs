//! The memory of processes over time, from `/proc`, and what their pages of metrics have become.

use std::{fs, time::Duration};

use anyhow::Context;
use serde::{Deserialize, Serialize};

/// The time between two samples.
pub(super) const EVERY: Duration = Duration::from_secs(5);
pub(super) const PER_MINUTE: usize = 12;

/// The part of all samples that is compared at either end: ten minutes of an hour.
const PART: usize = 6;
/// The most that the memory at the end may be of that at the beginning.
const MOST: f64 = 1.1;
const MIB: f64 = 1_048_576.0;

/// A process of the site.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Process {
    name: String,
    id: u32,
    /// The address of its internal port.
    internal: String,
}

/// Memory at one moment, in bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    /// Everything that is resident, the program's own pages included.
    resident: u64,
    /// What the process has allocated.
    anonymous: u64,
}

impl Sample {
    /// Reads `/proc/ID/status` (`proc_pid_status(5)`). A process that has ended has none of these lines.
    fn of(id: u32) -> anyhow::Result<Self> {
        let status = fs::read_to_string(format!("/proc/{id}/status"))
            .with_context(|| format!("process {id} is gone"))?;
        Self::read(&status).with_context(|| format!("process {id} has ended"))
    }

    fn read(status: &str) -> Option<Self> {
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
            Some(kib * 1024)
        };
        Some(Self {
            resident: bytes("VmRSS:")?,
            anonymous: bytes("RssAnon:")?,
        })
    }
}

/// The samples of all processes.
pub(super) struct Watch(Vec<(Process, Vec<Sample>)>);

/// A process at the beginning and at the end, in MiB.
#[derive(Debug, Serialize)]
pub(crate) struct Compared {
    name: String,
    first: f64,
    last: f64,
    /// The resident memory at the end, divided by that at the beginning.
    ratio: f64,
    is_met: bool,
    anonymous_first: f64,
    anonymous_last: f64,
}

/// A process's page of metrics.
#[derive(Debug, Serialize)]
pub(crate) struct Exposition {
    name: String,
    bytes: usize,
    series: usize,
}

impl Watch {
    pub(super) fn new(processes: &[Process]) -> Self {
        let begun = processes
            .iter()
            .map(|process| (process.clone(), Vec::new()));
        Self(begun.collect())
    }

    /// Takes one sample of each process; fails if one is gone.
    pub(super) fn sample(&mut self) -> anyhow::Result<()> {
        for (process, samples) in &mut self.0 {
            samples.push(Sample::of(process.id).with_context(|| process.name.clone())?);
        }
        Ok(())
    }

    /// The medians of the last minute, as text.
    pub(super) fn last_minute(&self) -> String {
        let each = self.0.iter().map(|(process, samples)| {
            let last = &samples[samples.len().saturating_sub(PER_MINUTE)..];
            let (resident, anonymous) = medians(last);
            format!(
                "{} {resident:.1} MiB, {anonymous:.1} anonymous",
                process.name
            )
        });
        each.collect::<Vec<_>>().join("; ")
    }

    /// The last sixth beside the first.
    pub(super) fn compare(&self) -> Vec<Compared> {
        let each = self.0.iter().map(|(process, samples)| {
            let length = samples.len().div_ceil(PART);
            let (first, anonymous_first) = medians(&samples[..length]);
            let (last, anonymous_last) = medians(&samples[samples.len() - length..]);
            Compared {
                name: process.name.clone(),
                first,
                last,
                ratio: last / first,
                is_met: last / first <= MOST,
                anonymous_first,
                anonymous_last,
            }
        });
        each.collect()
    }
}

/// The medians in MiB: resident, anonymous.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53 bytes")]
fn medians(samples: &[Sample]) -> (f64, f64) {
    let median = |of: fn(&Sample) -> u64| {
        let mut values: Vec<u64> = samples.iter().map(of).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default() as f64 / MIB
    };
    (median(|one| one.resident), median(|one| one.anonymous))
}

/// Reads every process's metrics once.
pub(super) async fn expositions(
    client: &reqwest::Client,
    processes: &[Process],
) -> anyhow::Result<Vec<Exposition>> {
    let mut all = Vec::new();
    for process in processes {
        let url = format!("http://{}/metrics", process.internal);
        let text = client
            .get(url)
            .send()
            .await?
            .error_for_status()?
            .text()
            .await?;
        all.push(Exposition {
            name: process.name.clone(),
            bytes: text.len(),
            series: series(&text),
        });
    }
    Ok(all)
}

fn series(text: &str) -> usize {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(resident: impl Iterator<Item = u64>) -> Watch {
        let samples = resident.map(|mib| Sample {
            resident: mib << 20,
            anonymous: mib << 19,
        });
        let process = Process {
            name: "one".to_owned(),
            id: 1,
            internal: String::new(),
        };
        Watch(vec![(process, samples.collect())])
    }

    #[test]
    fn the_last_sixth_is_compared_with_the_first_and_a_peak_does_not_count() {
        let steady = (0..720).map(|at| if at % 12 == 0 { 500 } else { 100 });
        let compared = watch(steady).compare();
        assert!((compared[0].ratio - 1.0).abs() < 1e-9 && compared[0].is_met);
        let growing = watch((0..720).map(|at| 100 + at / 40)).compare();
        assert!(growing[0].ratio > MOST && !growing[0].is_met, "{growing:?}");
        assert!((growing[0].anonymous_first * 2.0 - growing[0].first).abs() < 1e-9);
    }

    #[test]
    fn a_process_is_measured_until_it_has_ended() {
        let status = "Name:\tsite\nVmRSS:\t    2048 kB\nRssAnon:\t    1024 kB\n";
        let sample = Sample::read(status).expect("a sample");
        assert_eq!((sample.resident, sample.anonymous), (2 << 20, 1 << 20));
        assert!(Sample::read("Name:\tsite\nState:\tZ (zombie)\n").is_none());
    }

    #[test]
    fn series_are_the_lines_that_are_no_comments() {
        assert_eq!(series("# TYPE a counter\na 1\na{b=\"c\"} 2\n\n"), 2);
    }
}
