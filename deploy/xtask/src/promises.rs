//! The promises of the site, each with the test that checks it, as tables of tab-separated values in
//! `deploy/xtask/promises/`: the texts that guests read, the behaviour that is easy to get wrong, and the bounds of all
//! data that strangers can add.

use std::fs;

use anyhow::{Context, bail};
use servers::checkout::Checkout;

const FOLDER: &str = "deploy/xtask/promises";

/// The last two columns of each table are a file and the name of a test in it. The test of a text contains the text.
const TABLES: [(&str, bool); 3] = [
    ("texts.tsv", true),
    ("traps.tsv", false),
    ("bounds.tsv", false),
];

/// A row of a table.
#[derive(Debug, PartialEq, Eq)]
struct Promise<'a> {
    wording: &'a str,
    file: &'a str,
    test: &'a str,
}

/// Fails, naming the rows, if a test does not exist, or a text is not in its test's file.
pub(crate) fn check(checkout: &Checkout) -> anyhow::Result<()> {
    let mut broken = Vec::new();
    for (name, is_text) in TABLES {
        let path = format!("{FOLDER}/{name}");
        let table = fs::read_to_string(checkout.path(&path)).with_context(|| path.clone())?;
        for promise in promises(&table).with_context(|| path.clone())? {
            let source = fs::read_to_string(checkout.path(promise.file)).unwrap_or_default();
            let fault = fault(&promise, &source, is_text);
            broken.extend(fault.map(|fault| format!("{path}: {fault}")));
        }
    }
    if !broken.is_empty() {
        bail!("{}", broken.join("\n  "));
    }
    Ok(())
}

/// The rows of a table, below the names of its columns.
fn promises(table: &str) -> anyhow::Result<Vec<Promise<'_>>> {
    let rows: Vec<_> = table.lines().skip(1).map(row).collect();
    if rows.is_empty() {
        bail!("the table is empty");
    }
    rows.into_iter().collect()
}

fn row(line: &str) -> anyhow::Result<Promise<'_>> {
    let cells: Vec<_> = line.split('\t').collect();
    let [wording, .., file, test] = cells[..] else {
        bail!("{line}: a row has at least three columns");
    };
    Ok(Promise {
        wording,
        file,
        test,
    })
}

fn fault(promise: &Promise<'_>, source: &str, is_text: bool) -> Option<String> {
    let Promise {
        wording,
        file,
        test,
    } = promise;
    if source.is_empty() {
        return Some(format!("{wording}: {file} does not exist"));
    }
    // A row contains one part of a name that is composed of several. A long part is on its own line.
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
        return Some(format!("{wording}: {file} has no test {test:?}"));
    }
    (is_text && !source.contains(wording)).then(|| format!("{wording}: {file} does not contain it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_is_kept() {
        check(&Checkout::here()).unwrap();
    }

    #[test]
    fn a_promise_without_its_test_or_its_text_is_reported() {
        let promises =
            promises("text\twhere\tfile\ttest\nLoad More\ta grid\ta.ts\ta grid\n").unwrap();
        let [promise] = promises.as_slice() else {
            panic!("{promises:?}");
        };
        assert_eq!((promise.file, promise.test), ("a.ts", "a grid"));
        let kept = "test('a grid', () => see('Load More'))";
        assert_eq!(fault(promise, kept, true), None);
        for (source, why) in [
            ("", "does not exist"),
            ("// a grid: Load More", "has no test"),
            ("test('a list', () => see('Load More'))", "has no test"),
            (
                "test('a grid', () => see('Load more'))",
                "does not contain it",
            ),
        ] {
            let reported = fault(promise, source, true).unwrap();
            assert!(reported.contains(why), "{reported}");
        }
        assert!(row("Load More\tby hand").is_err());
    }
}
