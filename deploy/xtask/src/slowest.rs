//! The slowest tests of a run, so that a test that has become too slow is noticed.

use std::{fs, path::Path};

use anyhow::Context;
use servers::progress;

/// Tests to name.
const RANKED: usize = 10;

/// Prints the slowest tests of a `JUnit` report.
pub(crate) fn print(report: &Path) -> anyhow::Result<()> {
    let text = fs::read_to_string(report)
        .with_context(|| format!("{} cannot be read", report.display()))?;
    progress::line("The slowest tests:");
    for (seconds, name) in ranked(&text)? {
        progress::line(&format!("  {seconds:>7.1} s  {name}"));
    }
    Ok(())
}

/// The slowest tests, with their seconds.
fn ranked(report: &str) -> anyhow::Result<Vec<(f64, String)>> {
    let document = roxmltree::Document::parse(report)?;
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let mut timed: Vec<_> = cases
        .filter_map(|case| {
            let seconds: f64 = case.attribute("time")?.parse().ok()?;
            let of = case.attribute("classname")?;
            Some((seconds, format!("{of} {}", case.attribute("name")?)))
        })
        .collect();
    timed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    timed.truncate(RANKED);
    Ok(timed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_come_first() {
        let report = r#"<testsuites><testsuite>
            <testcase name="one" classname="places" time="0.5"/>
            <testcase name="two" classname="cityguide::system" time="12.25"/>
        </testsuite></testsuites>"#;
        let ranked = ranked(report).unwrap();
        assert_eq!(ranked[0], (12.25, "cityguide::system two".to_owned()));
        assert_eq!(ranked[1].1, "places one");
    }
}
