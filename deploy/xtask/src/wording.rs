//! Plain English: no comment, log line or document may use a habit that CONTRIBUTING.md lists. The list is a table of
//! tab-separated values, `deploy/xtask/wording.tsv`, with the number of old lines that still match each pattern. A new match
//! fails the check, and so does a number that is too large, so that it only falls.

use std::fs;

use anyhow::{Context, bail};
use regex::Regex;
use servers::checkout::Checkout;

use crate::layout;

const TABLE: &str = "deploy/xtask/wording.tsv";
/// A line that contains this marker and a reason is exempt.
const EXEMPT: &str = "wording:";
/// Matches shown for each pattern.
const MAX_SHOWN: usize = 30;

/// A row of the table.
struct Habit {
    pattern: Regex,
    instead: String,
    allowed: usize,
}

/// Fails, naming lines, if the tree has more matches of a pattern than its row allows, or fewer.
pub(crate) fn check(checkout: &Checkout) -> anyhow::Result<()> {
    let table = fs::read_to_string(checkout.path(TABLE)).context(TABLE)?;
    let habits = habits(&table)?;
    let mut matches = vec![Vec::new(); habits.len()];
    for path in layout::tracked(checkout)? {
        let Ok(text) = fs::read_to_string(checkout.path(&path)) else {
            continue;
        };
        for (number, line) in prose(&path, &text) {
            for (found, habit) in matches.iter_mut().zip(&habits) {
                if habit.pattern.is_match(line) {
                    found.push(format!("{path}:{number}: {line}"));
                }
            }
        }
    }
    let faults: Vec<_> = habits
        .iter()
        .zip(&matches)
        .filter_map(|(habit, found)| fault(habit, found))
        .collect();
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

fn fault(habit: &Habit, found: &[String]) -> Option<String> {
    let Habit {
        pattern,
        instead,
        allowed,
    } = habit;
    let lines = found.len();
    if lines > *allowed {
        let shown = found.iter().take(MAX_SHOWN);
        let shown: Vec<_> = shown.map(|line| format!("    {line}")).collect();
        return Some(format!(
            "{lines} lines match {pattern}, {allowed} are allowed. {instead}\n{}",
            shown.join("\n")
        ));
    }
    (lines < *allowed).then(|| {
        format!("{lines} lines match {pattern}: lower its number in {TABLE} from {allowed}")
    })
}

/// The rows, below the names of the columns.
fn habits(table: &str) -> anyhow::Result<Vec<Habit>> {
    let rows = table.lines().skip(1).map(|line| {
        let cells: Vec<_> = line.split('\t').collect();
        let [allowed, pattern, instead] = cells[..] else {
            bail!("{TABLE}: {line}: a row has three columns");
        };
        Ok(Habit {
            pattern: Regex::new(pattern).with_context(|| format!("{TABLE}: {line}"))?,
            instead: instead.to_owned(),
            allowed: allowed
                .parse()
                .with_context(|| format!("{TABLE}: {line}"))?,
        })
    });
    rows.collect()
}

/// The comments, log lines and document lines of a file, with their numbers.
fn prose<'a>(path: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let ending = path.rsplit('.').next();
    let is_prose: fn(&str) -> bool = match ending {
        _ if path.starts_with("deploy/demo/") || path == TABLE || path == "CONTRIBUTING.md" => {
            return Vec::new();
        }
        Some("md") => |_| true,
        Some("rs") => |line| line.starts_with("//") || line.contains("tracing::"),
        Some("proto" | "ts" | "tsx" | "css") => {
            |line| line.starts_with("//") || line.starts_with("/*") || line.starts_with('*')
        }
        Some("toml" | "yaml" | "yml" | "sh") => |line| line.starts_with('#'),
        Some("sql") => |line| line.starts_with("--"),
        _ => return Vec::new(),
    };
    let mut is_code = false;
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| {
        is_code ^= ending == Some("md") && line.starts_with("```");
        !is_code && is_prose(line) && !line.contains(EXEMPT)
    });
    lines.map(|(index, line)| (index + 1, line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_log_lines_and_documents_are_prose_and_code_is_not() {
        let rust = "// told\nlet told = 1;\n    tracing::warn!(\"told\");\n/// told; wording: a quotation\n";
        assert_eq!(
            prose("a.rs", rust),
            [(1, "// told"), (3, "tracing::warn!(\"told\");")]
        );
        let document = "told\n```\nlet told = 1;\n```\ntold";
        let lines: Vec<_> = prose("a.md", document)
            .into_iter()
            .map(|(at, _)| at)
            .collect();
        assert_eq!(lines, [1, 4, 5]);
        assert_eq!(prose("a.json", "told"), []);
    }

    #[test]
    fn a_match_more_or_fewer_than_allowed_fails() {
        let table = "allowed\tpattern\tinstead\n1\t\\btold\\b\tWrite \"report\".\n";
        let [habit] = &habits(table).expect("a table")[..] else {
            panic!("one row")
        };
        let lines = |count: usize| vec!["a.rs:1: told".to_owned(); count];
        assert_eq!(fault(habit, &lines(1)), None);
        let more = fault(habit, &lines(2)).expect("too many");
        assert!(
            more.contains("Write \"report\"") && more.contains("a.rs:1"),
            "{more}"
        );
        let fewer = fault(habit, &lines(0)).expect("too few");
        assert!(fewer.contains("lower its number"), "{fewer}");
        assert!(habits("allowed\tpattern\n1\t(\n").is_err());
    }
}
