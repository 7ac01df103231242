//! Work in named sections: all sections run, even if one fails, and a summary follows.

use std::time::{Duration, Instant};

use anyhow::bail;
use servers::{interrupt, progress};

/// The sections that have run.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    lines: Vec<(String, Duration, Outcome)>,
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// The section failed, with this reason.
    Failed(String),
    /// The source for the check was unavailable.
    NotChecked,
    /// The section was left out, because other sections were requested.
    NotAsked,
}

/// The result of a section that needs a source on the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    Everything,
    /// The source was unavailable.
    Nothing,
}

impl Sections {
    /// Runs a section. A failure is printed and added to the summary; only an interruption ends all work.
    pub(crate) fn run(
        &mut self,
        name: &str,
        section: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.run_with_source(name, || section().map(|()| Checked::Everything))
    }

    /// Runs a section whose source may be unavailable; the end of the summary then reports this.
    pub(crate) fn run_with_source(
        &mut self,
        name: &str,
        section: impl FnOnce() -> anyhow::Result<Checked>,
    ) -> anyhow::Result<()> {
        progress::heading(name);
        let started = Instant::now();
        let result = section();
        interrupt::check()?;
        let outcome = match result {
            Ok(Checked::Everything) => Outcome::Fine,
            Ok(Checked::Nothing) => Outcome::NotChecked,
            Err(error) => {
                progress::failure(&error);
                Outcome::Failed(format!("{error:#}"))
            }
        };
        self.lines
            .push((name.to_owned(), started.elapsed(), outcome));
        Ok(())
    }

    /// Records a section that was left out because others were requested.
    pub(crate) fn leave_out(&mut self, name: &str) {
        self.lines
            .push((name.to_owned(), Duration::ZERO, Outcome::NotAsked));
    }

    /// Prints the summary; fails if sections failed. The error names each section with its reason, since the section's
    /// own output may be far above.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        progress::heading("Summary");
        for (name, time, outcome) in &self.lines {
            let (word, time) = match outcome {
                Outcome::Fine => ("ok", progress::seconds(*time)),
                Outcome::Failed(_) => ("FAILED", progress::seconds(*time)),
                Outcome::NotChecked => ("NOT CHECKED", progress::seconds(*time)),
                Outcome::NotAsked => ("not asked for", String::new()),
            };
            progress::line(&format!("  {name:<44} {word:<14} {time:>12}"));
        }
        if let Some(line) = self.not_checked() {
            progress::line(&line);
        }
        let failed: Vec<_> = self.lines.iter().filter_map(reason).collect();
        if !failed.is_empty() {
            bail!("failed:\n{}", failed.join("\n"));
        }
        Ok(())
    }

    /// Returns the end of the summary if sections could not check anything.
    fn not_checked(&self) -> Option<String> {
        let lines = self.lines.iter();
        let sections: Vec<_> = lines
            .filter(|(_, _, outcome)| *outcome == Outcome::NotChecked)
            .map(|(name, ..)| name.as_str())
            .collect();
        (!sections.is_empty()).then(|| format!("  {} not checked", sections.join(" and ")))
    }
}

/// A failed section with its reason.
fn reason((name, _, outcome): &(String, Duration, Outcome)) -> Option<String> {
    match outcome {
        Outcome::Failed(why) => Some(format!("{name}: {why}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_does_not_stop_the_rest_and_is_named_at_the_end_with_its_reason() {
        let mut sections = Sections::default();
        let mut reached = false;
        sections.run("first", || bail!("no")).unwrap();
        sections
            .run("second", || {
                reached = true;
                Ok(())
            })
            .unwrap();
        assert!(reached);
        assert_eq!(
            sections.finish().unwrap_err().to_string(),
            "failed:\nfirst: no"
        );
    }

    #[test]
    fn what_could_not_be_checked_stands_at_the_end_and_is_no_failure() {
        let mut sections = Sections::default();
        sections.run("formats", || Ok(())).unwrap();
        sections
            .run_with_source("Rust advisories", || Ok(Checked::Everything))
            .unwrap();
        assert_eq!(sections.not_checked(), None);
        sections
            .run_with_source("npm advisories", || Ok(Checked::Nothing))
            .unwrap();
        let end = sections.not_checked().unwrap();
        assert_eq!(end, "  npm advisories not checked");
        sections.finish().unwrap();
    }
}
