//! The tables of docs/TESTING.md: the site's promises, and the test that checks each.

use std::fs;

use anyhow::{Context, bail};
use servers::checkout::Checkout;

const FILE: &str = "docs/TESTING.md";
const TEXTS: &str = "<!-- texts -->";
const TRAPS: &str = "<!-- traps -->";
const BOUNDS: &str = "<!-- bounds -->";
const END: &str = "<!-- end -->";

/// A row: a promise, and its test.
#[derive(Debug, PartialEq, Eq)]
struct Promise<'a> {
    what: &'a str,
    file: &'a str,
    test: &'a str,
}

/// Fails, naming the rows, if a test does not exist, or a text is not in its test's file.
pub(crate) fn check(checkout: &Checkout) -> anyhow::Result<()> {
    let page = fs::read_to_string(checkout.path(FILE))?;
    let mut broken = Vec::new();
    for (table, is_text) in [(TEXTS, true), (TRAPS, false), (BOUNDS, false)] {
        for promise in promises(&page, table)? {
            let source = fs::read_to_string(checkout.path(promise.file)).unwrap_or_default();
            broken.extend(fault(&promise, &source, is_text));
        }
    }
    if !broken.is_empty() {
        bail!("{FILE}:\n  {}", broken.join("\n  "));
    }
    Ok(())
}

/// The rows of a table.
fn promises<'a>(page: &'a str, table: &str) -> anyhow::Result<Vec<Promise<'a>>> {
    let (_, rest) = page.split_once(table).context("a table is gone")?;
    let (rows, _) = rest.split_once(END).context("a table has no end")?;
    // The first two lines are the head and its rule.
    let rows: Vec<_> = rows.trim().lines().skip(2).map(row).collect();
    if rows.is_empty() {
        bail!("{FILE}: the table {table} is empty");
    }
    rows.into_iter().collect()
}

fn row(line: &str) -> anyhow::Result<Promise<'_>> {
    let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
    let held = cells.last().and_then(|cell| {
        let (file, test) = cell.strip_prefix('`')?.split_once("`: ")?;
        Some((file, test))
    });
    let (file, test) = held.with_context(|| format!("{FILE}: {line}: no test"))?;
    Ok(Promise {
        what: cells[0],
        file,
        test,
    })
}

fn fault(promise: &Promise<'_>, source: &str, is_text: bool) -> Option<String> {
    let Promise { what, file, test } = promise;
    if source.is_empty() {
        return Some(format!("{what}: {file} is not there"));
    }
    // A row names one part of a name that is made of several. A long part stands on a line of its own.
    let lines: Vec<_> = source.lines().map(str::trim_start).collect();
    let is_named = lines.iter().enumerate().any(|(at, line)| {
        let begun = if line.starts_with(['\'', '"', '`']) && at > 0 {
            lines[at - 1]
        } else {
            line
        };
        let begins = ["test(", "it(", "it.each(", "])(", "fn ", "async fn "];
        line.contains(test) && begins.iter().any(|begin| begun.starts_with(begin))
    });
    if !is_named {
        return Some(format!("{what}: {file} has no test {test:?}"));
    }
    (is_text && !source.contains(what)).then(|| format!("{what}: {file} does not say it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<!-- texts -->\n| text | where | test |\n|---|---|---|\n\
        | Load More | a grid | `a.ts`: a grid |\n<!-- end -->";

    #[test]
    fn every_promise_is_held() {
        check(&Checkout::here()).unwrap();
    }

    #[test]
    fn a_promise_without_its_test_or_its_text_is_told() {
        let promises = promises(PAGE, TEXTS).unwrap();
        let [promise] = promises.as_slice() else {
            panic!("{promises:?}");
        };
        assert_eq!((promise.file, promise.test), ("a.ts", "a grid"));
        let held = "test('a grid', () => see('Load More'))";
        assert_eq!(fault(promise, held, true), None);
        for (source, why) in [
            ("", "is not there"),
            ("// a grid: Load More", "has no test"),
            ("test('a list', () => see('Load More'))", "has no test"),
            ("test('a grid', () => see('Load more'))", "does not say it"),
        ] {
            let told = fault(promise, source, true).unwrap();
            assert!(told.contains(why), "{told}");
        }
        assert!(row("| Load More | a grid | by hand |").is_err());
    }
}
