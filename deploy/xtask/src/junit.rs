//! Reports of tests in `JUnit`'s format, as written by nextest and Playwright: the slowest tests, so that slow tests
//! are noticed, tests that passed only when repeated, and failed tests. A long output would hide them.

use std::{fs, path::Path};

use anyhow::{Context, anyhow};
use servers::progress;

/// Maximum number of reported slow tests.
const SLOWEST: usize = 10;
/// Maximum number of reported tests per reason, and of lines per message.
const NAMED: usize = 20;
const LINES: usize = 12;

/// The results in a report.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Report {
    /// Every test with its seconds.
    timed: Vec<(f64, String)>,
    /// Each failed test with its message.
    failed: Vec<(String, String)>,
    /// Each test that has failed and then passed, with the message of its failure.
    retried: Vec<(String, String)>,
}

impl Report {
    /// Removes the report of an earlier run.
    pub(crate) fn forget(file: &Path) -> anyhow::Result<()> {
        match fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Reads a report; returns an empty report if there is no file, because the tests did not start.
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        if !file.exists() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(file);
        let report = text.map_err(Into::into).and_then(|text| Self::parse(&text));
        report.with_context(|| format!("{} cannot be read", file.display()))
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let document = roxmltree::Document::parse(text)?;
        let mut report = Self::default();
        for case in document.descendants() {
            let (Some(of), Some(name)) = (case.attribute("classname"), case.attribute("name"))
            else {
                continue;
            };
            let name = format!("{of} {name}");
            for (tags, tests) in [
                (["failure", "error"], &mut report.failed),
                (["flakyFailure", "flakyError"], &mut report.retried),
            ] {
                let is_one =
                    |node: &roxmltree::Node<'_, '_>| tags.iter().any(|tag| node.has_tag_name(*tag));
                if let Some(failure) = case.children().find(is_one) {
                    let message = failure.text().or(failure.attribute("message"));
                    let message = message.unwrap_or_default().trim().to_owned();
                    tests.push((name.clone(), message));
                }
            }
            if let Some(seconds) = case.attribute("time").and_then(|time| time.parse().ok()) {
                report.timed.push((seconds, name));
            }
        }
        report
            .timed
            .sort_by(|(one, _), (other, _)| other.total_cmp(one));
        Ok(report)
    }

    pub(crate) fn print_slowest(&self) {
        progress::line("The slowest tests:");
        for (seconds, name) in self.timed.iter().take(SLOWEST) {
            progress::line(&format!("  {seconds:>7.1} s  {name}"));
        }
    }

    /// Prints the tests that needed a second try, each with the beginning of its first failure.
    pub(crate) fn print_retried(&self) {
        if !self.retried.is_empty() {
            progress::line("Tests that passed only at the second try:");
        }
        for line in with_messages(&self.retried) {
            progress::line(&line);
        }
    }

    /// An error's text followed by the failed tests, each with the beginning of its message.
    pub(crate) fn explain(&self, error: &anyhow::Error) -> anyhow::Error {
        let mut lines = vec![error.to_string()];
        lines.extend(with_messages(&self.failed));
        anyhow!(lines.join("\n"))
    }
}

/// The lines that name tests, each with the beginning of its message.
fn with_messages(tests: &[(String, String)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, message) in tests.iter().take(NAMED) {
        lines.push(format!("  {name}"));
        lines.extend(
            message
                .lines()
                .take(LINES)
                .map(|line| format!("    {line}")),
        );
    }
    if tests.len() > NAMED {
        lines.push(format!("  and {} more", tests.len() - NAMED));
    }
    lines
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    const REPORT: &str = r#"<testsuites><testsuite name="places">
        <testcase name="one" classname="places" time="0.5"/>
        <testcase name="two" classname="cityguide::system" time="12.25">
            <failure message="thread 'two' panicked" type="test failure">thread 'two' panicked:
left is not right</failure>
        </testcase>
    </testsuite></testsuites>"#;

    #[test]
    fn the_slowest_come_first() {
        let report = Report::parse(REPORT).unwrap();
        assert_eq!(report.timed[0], (12.25, "cityguide::system two".to_owned()));
        assert_eq!(report.timed[1].1, "places one");
    }

    #[test]
    fn the_failed_ones_are_named_with_their_messages() {
        let report = Report::parse(REPORT).unwrap();
        assert_eq!(
            report.explain(&anyhow!("tests failed")).to_string(),
            "tests failed\n  cityguide::system two\n    thread 'two' panicked:\n    left is not right"
        );
    }

    #[test]
    fn a_test_that_passed_at_the_second_try_is_named_and_has_not_failed() {
        let report = r#"<testsuite>
            <testcase name="one" classname="cityguide::system" time="0.5">
                <flakyFailure message="late" type="test failure">it was late</flakyFailure></testcase>
            <testcase name="two" classname="home.spec.ts" time="0.5">
                <flakyError message="no element" type="TimeoutError"/></testcase>
        </testsuite>"#;
        let report = Report::parse(report).unwrap();
        assert!(report.failed.is_empty());
        assert_eq!(
            with_messages(&report.retried),
            [
                "  cityguide::system one",
                "    it was late",
                "  home.spec.ts two",
                "    no element"
            ]
        );
    }

    #[test]
    fn a_run_that_fails_everywhere_is_told_of_briefly() {
        let case = r#"<testcase name="one" classname="places" time="0.5"><failure>no</failure></testcase>"#;
        let report = format!("<testsuite>{}</testsuite>", case.repeat(50));
        let text = Report::parse(&report).unwrap().explain(&anyhow!("failed"));
        let text = text.to_string();
        assert_eq!(text.lines().count(), 1 + 2 * NAMED + 1);
        assert!(text.ends_with("and 30 more"), "{text}");
    }

    #[test]
    fn tests_that_did_not_start_have_no_report() {
        let folder = tempfile::tempdir().unwrap();
        let report = Report::read(&folder.path().join("junit.xml")).unwrap();
        assert_eq!(report, Report::default());
    }
}
