//! Measurements and their targets.

use std::collections::BTreeMap;

use serde::Serialize;

/// The result of one side in one turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figures {
    /// One value per measure of the case.
    pub(crate) values: Vec<f64>,
    /// Microseconds of CPU per request, by program, without the load generator's own.
    pub(crate) cpu: BTreeMap<String, f64>,
}

impl Figures {
    /// A number of requests, the seconds they took, and their seconds of CPU.
    pub(crate) fn of_rate(requests: u64, seconds: f64, cpu: BTreeMap<String, f64>) -> Self {
        Self {
            values: vec![count(requests) / seconds],
            cpu: each(cpu, requests),
        }
    }

    /// Times of requests in milliseconds: p50 and p99.
    pub(crate) fn of_times(mut times: Vec<f64>, cpu: BTreeMap<String, f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let requests = u64::try_from(times.len()).unwrap_or(u64::MAX);
        Self {
            values: vec![quantile(&times, 50), quantile(&times, 99)],
            cpu: each(cpu, requests),
        }
    }

    /// Of all programs; 0 where none is measured (the sum of nothing would be -0).
    pub(crate) fn cpu_sum(&self) -> f64 {
        self.cpu.values().fold(0.0, |sum, time| sum + time)
    }
}

/// The ratio that meets a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// Equal to the reference, within this deviation.
    Near(f64),
}

impl Target {
    pub(crate) fn is_met(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(bound) => ratio >= bound,
            Self::AtMost(bound) => ratio <= bound,
            Self::Near(bound) => (ratio - 1.0).abs() <= bound,
        }
    }

    pub(crate) fn text(self) -> String {
        match self {
            Self::AtLeast(bound) => format!("≥ {bound}×"),
            Self::AtMost(bound) => format!("≤ {bound}×"),
            Self::Near(bound) => format!("1 ± {bound}×"),
        }
    }
}

/// One measure of a case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measure {
    pub(crate) unit: &'static str,
    pub(crate) target: Target,
}

/// A row of the table: one measure of one case.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) reference: String,
    unit: &'static str,
    ours: f64,
    theirs: f64,
    /// One per round.
    ratios: Vec<f64>,
    /// Their median.
    ratio: f64,
    target: String,
    is_met: bool,
    cpu_ours: f64,
    cpu_theirs: f64,
    /// Our CPU time: microseconds per request, by program.
    parts: BTreeMap<String, f64>,
}

impl Row {
    /// The medians of all rounds.
    pub(crate) fn new(
        case: &str,
        reference: &str,
        at: usize,
        measure: Measure,
        rounds: &[(Figures, Figures)],
    ) -> Self {
        let value = |figures: &Figures| figures.values.get(at).copied().unwrap_or(f64::NAN);
        let each = |of: &dyn Fn(&(Figures, Figures)) -> f64| -> Vec<f64> {
            rounds.iter().map(of).collect()
        };
        let ratios = each(&|(ours, theirs)| value(ours) / value(theirs));
        let ratio = median(&ratios);
        let mut parts = BTreeMap::new();
        for program in rounds.iter().flat_map(|(ours, _)| ours.cpu.keys()) {
            let times = each(&|(ours, _)| ours.cpu.get(program).copied().unwrap_or_default());
            parts.insert(program.clone(), median(&times));
        }
        Self {
            case: case.to_owned(),
            reference: reference.to_owned(),
            unit: measure.unit,
            ours: median(&each(&|(ours, _)| value(ours))),
            theirs: median(&each(&|(_, theirs)| value(theirs))),
            ratio,
            target: measure.target.text(),
            is_met: measure.target.is_met(ratio),
            cpu_ours: median(&each(&|(ours, _)| ours.cpu_sum())),
            cpu_theirs: median(&each(&|(_, theirs)| theirs.cpu_sum())),
            ratios,
            parts,
        }
    }
}

fn each(cpu: BTreeMap<String, f64>, requests: u64) -> BTreeMap<String, f64> {
    cpu.into_iter()
        .map(|(program, seconds)| (program, seconds * 1e6 / count(requests.max(1))))
        .collect()
}

/// Counts here are far below what a float holds exactly.
#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
fn count(requests: u64) -> f64 {
    requests as f64
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 50)
}

/// A percentile of sorted values.
pub(crate) fn quantile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(rate: f64) -> Figures {
        Figures {
            values: vec![rate],
            cpu: BTreeMap::from([("postgres".to_owned(), rate * 2.0)]),
        }
    }

    #[test]
    fn a_row_holds_the_median_of_the_rounds_ratios() {
        let measure = Measure {
            unit: "1/s",
            target: Target::AtLeast(0.4),
        };
        let rounds = [
            (side(40.0), side(100.0)),
            (side(10.0), side(100.0)),
            (side(90.0), side(100.0)),
        ];
        let row = Row::new("case", "reference", 0, measure, &rounds);
        assert!((row.ratio - 0.4).abs() < 1e-9 && row.is_met);
        assert!((row.cpu_ours - 80.0).abs() < 1e-9);
    }

    #[test]
    fn a_target_is_a_bound_or_a_neighbourhood() {
        for (target, met, missed) in [
            (Target::AtLeast(0.4), 0.4, 0.39),
            (Target::AtMost(3.0), 3.0, 3.01),
            (Target::Near(0.2), 0.81, 0.79),
            (Target::Near(0.2), 1.19, 1.21),
        ] {
            assert!(
                target.is_met(met) && !target.is_met(missed),
                "{}",
                target.text()
            );
        }
    }

    #[test]
    fn quantiles_are_values_that_were_measured() {
        let times: Vec<f64> = (1..=200).map(f64::from).collect();
        let figures = Figures::of_times(times, BTreeMap::new());
        assert_eq!(figures.values, [100.0, 198.0]);
    }
}
