//! The results of a suite, and their table in docs/PERFORMANCE.md.

use std::{fs, path::Path, process::Command, thread};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// The measurements of all runs of a suite.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    /// The conditions: versions, rounds.
    pub(crate) about: Vec<String>,
    pub(crate) rows: Vec<Row>,
    /// Sentences below the table.
    pub(crate) notes: Vec<String>,
    /// Reasons for a failure of the suite despite a complete table.
    pub(crate) failures: Vec<String>,
}

/// One figure in one topology.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) topology: String,
    pub(crate) measure: Measure,
    /// The values of both sides in each round.
    pub(crate) rounds: Vec<[Option<f64>; 2]>,
    /// Microseconds of CPU per request, of each side.
    pub(crate) cpu: Option<[f64; 2]>,
}

/// One figure of a case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Measure {
    /// Name and unit of the figure: `GET listings/, 1/s`.
    pub(crate) case: String,
    /// Name of the reference; empty if the target applies to the figure itself.
    reference: String,
    target: Option<Target>,
}

/// A target for the ratio to the reference, or for the figure itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    Below(f64),
    /// Equal to the reference, within this deviation.
    Near(f64),
}

impl Target {
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(bound) => value >= bound,
            Self::AtMost(bound) => value <= bound,
            Self::Below(bound) => value < bound,
            Self::Near(bound) => (value - 1.0).abs() <= bound,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtLeast(bound) => format!("≥ {bound}"),
            Self::AtMost(bound) => format!("≤ {bound}"),
            Self::Below(bound) => format!("< {bound}"),
            Self::Near(bound) => format!("1 ± {bound}"),
        }
    }
}

impl Measure {
    pub(crate) fn new(
        case: impl Into<String>,
        reference: impl Into<String>,
        target: impl Into<Option<Target>>,
    ) -> Self {
        Self {
            case: case.into(),
            reference: reference.into(),
            target: target.into(),
        }
    }

    /// The measure of a rate in requests per second.
    pub(crate) fn rate(case: &str, reference: &str, least: f64) -> Vec<Self> {
        let target = Target::AtLeast(least);
        vec![Self::new(format!("{case}, 1/s"), reference, target)]
    }

    /// The measures of the p50 and the p99 of times, as multiples of the reference's.
    pub(crate) fn times(case: &str, reference: &str, [p50, p99]: [f64; 2]) -> Vec<Self> {
        let named = |name| format!("{case}, ms {name}");
        let measure = |name, most| Self::new(named(name), reference, Target::AtMost(most));
        vec![measure("p50", p50), measure("p99", p99)]
    }
}

impl Row {
    fn side(&self, at: usize) -> impl Iterator<Item = f64> {
        self.rounds.iter().filter_map(move |sides| sides[at])
    }

    /// The median ratio with its smallest and largest round, or the largest figure; bold if the target is missed.
    fn verdict(&self) -> String {
        let ratios = self
            .side(0)
            .zip(self.side(1))
            .map(|(ours, theirs)| ours / theirs);
        let ratios = sorted(ratios);
        let is_ratio = !self.measure.reference.is_empty();
        let (value, mut text) = if is_ratio {
            let ratio = quantile(&ratios, 50);
            (ratio, format!("{ratio:.2}"))
        } else {
            let figure = self.side(0).fold(f64::NAN, f64::max);
            (figure, short(figure))
        };
        let target = self.measure.target;
        let is_missed = target.is_some_and(|target| !target.is_met(value));
        if is_missed {
            text = format!("**{text}**");
        }
        if let [least, .., most] = ratios.as_slice() {
            text = format!("{text} ({least:.2}–{most:.2})");
        }
        text + if is_missed { ", missed" } else { "" }
    }

    /// The medians of both sides and of their CPU times.
    fn sides(&self) -> String {
        let [ours, theirs] = [0, 1].map(|at| short(median(self.side(at))));
        let mut text = String::new();
        if !self.measure.reference.is_empty() {
            text = format!("{ours} : {theirs}");
        }
        if let Some([ours, theirs]) = self.cpu {
            text = format!("{text}; {ours:.0} : {theirs:.0} µs");
        }
        text
    }
}

impl Results {
    /// Returns the Markdown table: a line for each case, with the topologies side by side.
    pub(crate) fn table(&self) -> String {
        let topologies = distinct(self.rows.iter().map(|row| row.topology.as_str()));
        let mut heads = ["| case | reference | reach |", "|---|---|--:|"].map(str::to_owned);
        for name in &topologies {
            heads[0] = format!("{} {name} | ours : reference |", heads[0]);
            heads[1] += "---|---|";
        }
        let mut lines = vec![format!("{}; {}.\n", machine(), self.about.join("; "))];
        lines.extend(heads);
        for case in distinct(self.rows.iter().map(|row| row.measure.case.as_str())) {
            let of_case = || self.rows.iter().filter(|row| row.measure.case == case);
            let references = of_case().map(|row| row.measure.reference.as_str());
            let references = distinct(references).join("; ");
            let times = if references.is_empty() { "" } else { "×" };
            let mut targets = of_case().filter_map(|row| row.measure.target);
            let reach = targets.next().map(|target| target.text() + times);
            let reach = reach.unwrap_or_default();
            let mut line = format!("| {case} | {references} | {reach} |");
            for name in &topologies {
                let row = of_case().find(|row| row.topology == *name);
                let cells = row.map(|row| [row.verdict(), row.sides()]);
                line = format!("{line} {} |", cells.unwrap_or_default().join(" | "));
            }
            lines.push(line);
        }
        lines.extend(self.notes.iter().map(|note| format!("\n{note}")));
        lines.join("\n") + "\n"
    }

    /// Writes the table into the document, if any; fails if the suite has failed.
    pub(crate) fn finish(&self, suite: &str, document: Option<&Path>) -> anyhow::Result<()> {
        if !self.failures.is_empty() {
            bail!("{}", self.failures.join("\n"));
        }
        let Some(document) = document else {
            return Ok(());
        };
        let text = replaced(&fs::read_to_string(document)?, suite, &self.table());
        let text = text.with_context(|| format!("no marks for the table of {suite}"))?;
        Ok(fs::write(document, text)?)
    }
}

fn replaced(text: &str, suite: &str, table: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- bench {suite} -->"), "<!-- end -->");
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", table.trim()))
}

/// Returns the date, and the cores, memory and kernel of this machine.
fn machine() -> String {
    let printed = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        let output = output.map(|output| output.stdout).unwrap_or_default();
        String::from_utf8_lossy(&output).trim().to_owned()
    };
    let cores = thread::available_parallelism().map_or(0, usize::from);
    let kib = fs::read_to_string("/proc/meminfo").ok();
    let kib = kib.and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    format!(
        "{}: {cores} cores, {} GiB, {}",
        printed("date", &["+%-d %B %Y"]),
        kib.unwrap_or_default().div_ceil(1 << 20),
        printed("uname", &["-s", "-r", "-m"])
    )
}

/// Formats a value with at most three digits, since a shared machine is too noisy for more.
fn short(value: f64) -> String {
    match value {
        value if value.is_nan() => "nothing".to_owned(),
        value if value.abs() >= 100.0 || value.fract() == 0.0 => format!("{value:.0}"),
        value if value.abs() >= 10.0 => format!("{value:.1}"),
        value if value.abs() >= 0.1 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

fn distinct<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the median of values; NaN if there are none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    quantile(&sorted(values), 50)
}

/// Returns a percentile of sorted values; NaN if there are none.
pub(crate) fn quantile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_both_topologies_and_names_what_is_missed() {
        let row = |topology: &str, measure: Measure, ours: &[f64]| Row {
            topology: topology.to_owned(),
            cpu: (!measure.reference.is_empty()).then_some([9.6, 3.0]),
            measure,
            rounds: ours.iter().map(|ours| [Some(*ours), Some(100.0)]).collect(),
        };
        let rate = || Measure::rate("GET x/", "pgbench", 0.4).remove(0);
        let alone = Measure::new("MiB", "", Target::Below(50.0));
        let rows = vec![
            row("one", rate(), &[90.0, 40.0, 10.0]),
            row("many", rate(), &[39.0]),
            row("one", alone, &[]),
        ];
        let results = Results {
            rows,
            ..Results::default()
        };
        let table = results.table();
        for line in [
            "| case | reference | reach | one | ours : reference | many | ours : reference |\n",
            "| GET x/, 1/s | pgbench | ≥ 0.4× | 0.40 (0.10–0.90) | 40 : 100; 10 : 3 µs | **0.39**, missed | 39 : 100; 10 : 3 µs |\n",
            "| MiB |  | < 50 | **nothing**, missed |  |  |  |\n",
        ] {
            assert!(table.contains(line), "{line}{table}");
        }
        assert!(Target::Near(0.2).is_met(0.81) && !Target::Near(0.2).is_met(1.21));
        let text = "a\n<!-- bench web -->\nold\n<!-- end -->\nb";
        let expected = "a\n<!-- bench web -->\nnew\n<!-- end -->\nb";
        assert_eq!(replaced(text, "web", "new\n").as_deref(), Some(expected));
    }
}
