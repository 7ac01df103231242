//! Work in named sections: all run, even if one fails, and a summary follows.

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
    Failed,
    /// Left out, because it was not asked for.
    NotAsked,
}

impl Sections {
    /// Runs a section. A failure is printed and kept for the summary; only an interruption ends everything.
    pub(crate) fn run(
        &mut self,
        name: &str,
        section: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        progress::heading(name);
        let started = Instant::now();
        let result = section();
        interrupt::check()?;
        let outcome = match result {
            Ok(()) => Outcome::Fine,
            Err(error) => {
                progress::failure(&error);
                Outcome::Failed
            }
        };
        self.lines
            .push((name.to_owned(), started.elapsed(), outcome));
        Ok(())
    }

    /// Records a section that was left out because others were asked for.
    pub(crate) fn leave_out(&mut self, name: &str) {
        self.lines
            .push((name.to_owned(), Duration::ZERO, Outcome::NotAsked));
    }

    /// Prints the summary; fails, naming them, when sections failed.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        progress::heading("Summary");
        for (name, time, outcome) in &self.lines {
            let (word, time) = match outcome {
                Outcome::Fine => ("ok", progress::seconds(*time)),
                Outcome::Failed => ("FAILED", progress::seconds(*time)),
                Outcome::NotAsked => ("not asked for", String::new()),
            };
            progress::line(&format!("  {name:<44} {word:<14} {time:>12}"));
        }
        let failed: Vec<_> = self
            .lines
            .iter()
            .filter(|(_, _, outcome)| *outcome == Outcome::Failed)
            .map(|(name, _, _)| name.as_str())
            .collect();
        if !failed.is_empty() {
            bail!("failed: {}", failed.join(", "));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_does_not_stop_the_rest_and_is_named_at_the_end() {
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
        assert_eq!(sections.finish().unwrap_err().to_string(), "failed: first");
    }
}
