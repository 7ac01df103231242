//! The tables of docs/PERFORMANCE.md, as a bench measured them.

use std::{collections::BTreeMap, fmt::Write, fs, process::Command, thread};

use anyhow::Context;
use serde::Deserialize;
use servers::{checkout::Checkout, process};

const DOCUMENT: &str = "docs/PERFORMANCE.md";

/// The output of a bench for one topology.
#[derive(Debug, Deserialize)]
pub(crate) struct Results {
    postgres: String,
    rows: Vec<Row>,
}

impl Results {
    /// The rows of another run of the same topology.
    pub(crate) fn add(&mut self, mut other: Self) {
        self.rows.append(&mut other.rows);
    }
}

#[derive(Debug, Deserialize)]
struct Row {
    case: String,
    reference: String,
    unit: String,
    ours: f64,
    theirs: f64,
    ratios: Vec<f64>,
    ratio: f64,
    target: String,
    is_met: bool,
    cpu_ours: f64,
    cpu_theirs: f64,
    parts: BTreeMap<String, f64>,
}

/// One topology's part of a table.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) topology: &'static str,
    pub(crate) results: Results,
}

/// The Markdown of a table, with the machine it was measured on.
pub(crate) fn table(measured: &[Measured], rounds: usize, seconds: u64) -> String {
    let postgres = measured
        .first()
        .map_or("?", |one| one.results.postgres.as_str());
    let mut text = format!(
        "{}; PostgreSQL {postgres}; {rounds} rounds of {seconds} s a side.\n",
        machine()
    );
    for Measured { topology, results } in measured {
        let _ = write!(
            text,
            "\n**{}**\n\n\
             | case | ours | reference | ratio | of each round | reach | | CPU-µs, ours : reference |\n\
             |---|--:|--:|--:|---|--:|---|---|\n",
            capital(topology)
        );
        for row in &results.rows {
            line(&mut text, row);
        }
        let _ = write!(text, "\nWhere our CPU time goes, µs a request:\n\n");
        for row in results.rows.iter().filter(|row| !row.unit.ends_with("p99")) {
            let parts = row
                .parts
                .iter()
                .map(|(program, time)| format!("{program} {time:.0}"));
            let parts = parts.collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "- {}: {parts}", row.case);
        }
    }
    text
}

fn line(text: &mut String, row: &Row) {
    let ratios: Vec<_> = row
        .ratios
        .iter()
        .map(|ratio| format!("{ratio:.2}"))
        .collect();
    let _ = writeln!(
        text,
        "| {}, {} | {} | {} ({}) | **{:.2}** | {} | {} | {} | {:.0} : {:.0} |",
        row.case,
        row.unit,
        short(row.ours),
        short(row.theirs),
        row.reference,
        row.ratio,
        ratios.join(" "),
        row.target,
        if row.is_met { "met" } else { "**missed**" },
        row.cpu_ours,
        row.cpu_theirs,
    );
}

/// Writes a table between its marks in the document.
pub(crate) fn write(checkout: &Checkout, suite: &str, table: &str) -> anyhow::Result<()> {
    let path = checkout.path(DOCUMENT);
    let text = fs::read_to_string(&path).with_context(|| format!("{DOCUMENT} cannot be read"))?;
    let text = renewed(&text, suite, table)
        .with_context(|| format!("{DOCUMENT} has no marks for the table of {suite}"))?;
    fs::write(&path, text)?;
    Ok(())
}

fn renewed(text: &str, suite: &str, table: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- bench {suite} -->"), "<!-- end -->");
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", table.trim()))
}

/// Cores, memory and kernel, and the day.
pub(crate) fn machine() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = process::read(program, Command::new(program).args(arguments));
        output.map_or_else(
            |_| "?".to_owned(),
            |bytes| String::from_utf8_lossy(&bytes).trim().to_owned(),
        )
    };
    let cores = thread::available_parallelism().map_or(0, usize::from);
    let memory = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or_else(
            || "?".to_owned(),
            |kib| format!("{} GiB", kib.div_ceil(1 << 20)),
        );
    format!(
        "Measured on {}: {cores} cores, {memory}, {}",
        said("date", &["+%-d %B %Y"]),
        said("uname", &["-s", "-r", "-m"])
    )
}

/// The median of some values; of an even number of them, the greater of the two in the middle.
///
/// # Errors
/// If there is none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> anyhow::Result<f64> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
        .get(values.len() / 2)
        .copied()
        .context("nothing was measured")
}

fn short(value: f64) -> String {
    if value < 100.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.0}")
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_renewed_between_its_marks_and_nothing_else_is() {
        let text =
            "a\n<!-- bench core -->\nold\n<!-- end -->\nb\n<!-- bench web -->\n<!-- end -->\n";
        let expected =
            "a\n<!-- bench core -->\nnew\n<!-- end -->\nb\n<!-- bench web -->\n<!-- end -->\n";
        assert_eq!(renewed(text, "core", "new\n").as_deref(), Some(expected));
        assert_eq!(renewed(text, "photos", "new"), None);
    }

    #[test]
    fn a_row_says_whether_its_target_is_met() {
        let row = r#"{"case":"c","reference":"r","unit":"1/s","ours":50.0,"theirs":200.0,
            "ratios":[0.25],"ratio":0.25,"target":"≥ 0.4×","is_met":false,"cpu_ours":9.6,
            "cpu_theirs":3.0,"parts":{}}"#;
        let mut text = String::new();
        line(&mut text, &serde_json::from_str(row).unwrap());
        assert_eq!(
            text,
            "| c, 1/s | 50.00 | 200 (r) | **0.25** | 0.25 | ≥ 0.4× | **missed** | 10 : 3 |\n"
        );
    }
}
