//! The pipeline of pictures beside sharp, which makes the same sizes of the same photographs.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context;
use serde::{Deserialize, de::DeserializeOwned};
use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::{self, Step},
};

use super::Arguments;
use crate::{
    performance::{self, median},
    server::{Build, executable_of},
};

/// The crate that makes our side, and its folder below `deploy/`.
const TOOL: &str = "bench-pictures";
/// The ratio of CPU time to reach.
const REACH: f64 = 0.4;
/// Quality is compared on these, which the scores' decoders read too.
const COMPARED: [&str; 4] = ["2mp.jpg", "12mp.jpg", "24mp.jpg", "48mp.jpg"];

/// What a picture took on one side.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Taken {
    cpu_milliseconds: f64,
    memory_bytes: f64,
}

/// A size in one encoding, scored.
#[derive(Debug, Deserialize)]
struct Compared {
    size: String,
    ours: f64,
    theirs: f64,
    structure_ours: f64,
    structure_theirs: f64,
    bytes_ours: f64,
    bytes_theirs: f64,
}

/// Both sides, with all they need.
struct Sides {
    program: PathBuf,
    folder: PathBuf,
    /// The sizes, as JSON: those that are timed, and those that are compared.
    timed: String,
    compared: String,
}

impl Sides {
    fn prepare(checkout: &Checkout) -> anyhow::Result<Self> {
        let program = executable_of(checkout, TOOL, Build::Release)?;
        let folder = checkout.kept().join(TOOL);
        fs::create_dir_all(&folder)?;
        let source = checkout.path("deploy").join(TOOL);
        for name in ["package.json", "package-lock.json", "sharp.mjs"] {
            fs::copy(source.join(name), folder.join(name))?;
        }
        let step = Step::quiet("sharp");
        let mut install = Command::new("npm");
        install.args(["ci", "--no-audit", "--no-fund"]);
        install.current_dir(&folder);
        let log = checkout.log("bench-sharp")?;
        process::run("npm ci", &mut install, Output::Log(&log))?;
        step.done("installed");
        let step = Step::quiet("Pictures");
        let mut draw = Command::new(&program);
        draw.arg("draw").arg(folder.join("pictures"));
        process::run(TOOL, &mut draw, Output::Shown)?;
        step.done("drawn");
        let sizes = |more: &[&str]| -> anyhow::Result<String> {
            let mut command = Command::new(&program);
            command.arg("sizes").args(more);
            let said = process::read(TOOL, &mut command)?;
            Ok(String::from_utf8(said)?.trim().to_owned())
        };
        Ok(Self {
            timed: sizes(&[])?,
            compared: sizes(&["--compared"])?,
            program,
            folder,
        })
    }

    fn picture(&self, name: &str) -> PathBuf {
        self.folder.join("pictures").join(name)
    }

    fn ours(&self, name: &str, is_compared: bool) -> anyhow::Result<Taken> {
        let mut command = Command::new(&self.program);
        command.arg("make").arg(self.picture(name));
        command.arg(self.folder.join("ours"));
        command.args(is_compared.then_some("--compared"));
        said(&mut command)
    }

    fn theirs(&self, name: &str, is_compared: bool) -> anyhow::Result<Taken> {
        let sizes = if is_compared {
            &self.compared
        } else {
            &self.timed
        };
        let mut command = Command::new("node");
        command.current_dir(&self.folder).arg("sharp.mjs");
        command
            .arg(self.picture(name))
            .arg(self.folder.join("theirs"));
        command.arg(sizes);
        said(&mut command)
    }

    fn scores(&self, name: &str) -> anyhow::Result<Vec<Compared>> {
        self.ours(name, true)?;
        self.theirs(name, true)?;
        let mut command = Command::new(&self.program);
        command.arg("score").arg(self.picture(name));
        command.args([self.folder.join("ours"), self.folder.join("theirs")]);
        said(&mut command)
    }
}

fn said<T: DeserializeOwned>(command: &mut Command) -> anyhow::Result<T> {
    let said = process::read(TOOL, command)?;
    serde_json::from_slice(&said).context("the output is not what was expected")
}

/// Measures every picture in turns, prints the table, and if asked writes it into the document.
pub(super) fn bench(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    let sides = Sides::prepare(checkout)?;
    let mut rounds: BTreeMap<String, Vec<(Taken, Taken)>> = BTreeMap::new();
    for round in 1..=arguments.rounds {
        let step = Step::quiet("Round");
        for name in names(&sides.folder.join("pictures"))? {
            let pair = (sides.ours(&name, false)?, sides.theirs(&name, false)?);
            rounds.entry(name).or_default().push(pair);
        }
        step.done(&format!("{round} of {}", arguments.rounds));
    }
    let mut scores = Vec::new();
    for name in COMPARED {
        let step = Step::quiet("Quality");
        scores.push((name, sides.scores(name)?));
        step.done(name);
    }
    let text = table(&rounds, &scores, arguments.rounds)?;
    progress::line(&format!("\n{text}"));
    if arguments.write {
        performance::write(checkout, "photos", &text)?;
    }
    Ok(())
}

fn names(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn table(
    measured: &BTreeMap<String, Vec<(Taken, Taken)>>,
    scores: &[(&str, Vec<Compared>)],
    rounds: usize,
) -> anyhow::Result<String> {
    let mut text = format!(
        "{}; {rounds} rounds, one core a side, all six sizes as JPEG and WebP.\n\n\
         | picture | ours, CPU-ms | sharp | ratio | reach | | MiB, ours : sharp |\n\
         |---|--:|--:|--:|--:|---|---|\n",
        performance::machine()
    );
    for (name, pairs) in measured {
        let each = |of: &dyn Fn(&(Taken, Taken)) -> f64| median(pairs.iter().map(of));
        let ratio = each(&|(ours, theirs)| ours.cpu_milliseconds / theirs.cpu_milliseconds)?;
        let _ = writeln!(
            text,
            "| {name} | {:.0} | {:.0} | **{ratio:.2}** | ≤ {REACH}× | {} | {:.0} : {:.0} |",
            each(&|(ours, _)| ours.cpu_milliseconds)?,
            each(&|(_, theirs)| theirs.cpu_milliseconds)?,
            if ratio <= REACH { "met" } else { "**missed**" },
            each(&|(ours, _)| ours.memory_bytes)? / 1_048_576.0,
            each(&|(_, theirs)| theirs.memory_bytes)? / 1_048_576.0,
        );
    }
    text.push_str(
        "\nSSIMULACRA2 (100 is the original), SSIM (1 is the original) and kB of uncropped sizes, ours : sharp:\n\n\
         | picture | longest side | JPEG | WebP |\n|---|--:|---|---|\n",
    );
    for (name, scores) in scores {
        for pair in scores.chunks(2) {
            let cells: Vec<_> = pair.iter().map(cell).collect();
            let size = pair.first().map_or("", |one| one.size.as_str());
            let _ = writeln!(text, "| {name} | {size} | {} |", cells.join(" | "));
        }
    }
    Ok(text)
}

fn cell(one: &Compared) -> String {
    format!(
        "{:.1} : {:.1}, {:.3} : {:.3}, {:.0} : {:.0}",
        one.ours,
        one.theirs,
        one.structure_ours,
        one.structure_theirs,
        one.bytes_ours / 1e3,
        one.bytes_theirs / 1e3,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_median_of_the_rounds_and_says_whether_it_is_met() {
        let taken = |cpu_milliseconds| Taken {
            cpu_milliseconds,
            memory_bytes: 2_097_152.0,
        };
        let pairs = [30.0, 90.0, 40.0].map(|ours| (taken(ours), taken(100.0)));
        let measured = BTreeMap::from([("a.jpg".to_owned(), pairs.to_vec())]);
        let score = || Compared {
            size: "300".to_owned(),
            ours: 71.26,
            theirs: 70.0,
            structure_ours: 0.9871,
            structure_theirs: 0.98,
            bytes_ours: 12_400.0,
            bytes_theirs: 11_000.0,
        };
        let scores = [("a.jpg", vec![score(), score()])];
        let text = table(&measured, &scores, 3).expect("a table");
        let row = "| a.jpg | 40 | 100 | **0.40** | ≤ 0.4× | met | 2 : 2 |";
        assert!(text.contains(row), "{text}");
        let cell = "71.3 : 70.0, 0.987 : 0.980, 12 : 11";
        let row = format!("| a.jpg | 300 | {cell} | {cell} |");
        assert!(text.contains(&row), "{text}");
    }
}
