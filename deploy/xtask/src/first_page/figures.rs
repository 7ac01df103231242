//! The cost of first visits, compared with the targets of docs/PERFORMANCE.md.

use std::{collections::BTreeMap, fmt::Write};

use anyhow::Context;
use serde::Deserialize;

use crate::performance::{self, median};

/// The targets, as multiples of the static page's time and of the empty application's scripts.
const LCP: f64 = 1.2;
const SCRIPTS: f64 = 1.25;
/// Bytes of HTML, the data in it and the rules that it uses: what fits into the first round trip of a
/// connection (RFC 6928: 10 segments).
const FIRST_FLIGHT: f64 = 14.0 * 1024.0;
/// Below this layout shift nothing visibly moves.
const SHIFT: f64 = 0.02;
/// Scripts smaller than this many bytes are reported together.
const SMALL: f64 = 2000.0;

/// The file that `web/bench/first-page.ts` writes.
#[derive(Debug, Deserialize)]
pub(crate) struct Figures {
    browser: String,
    pages: Vec<Page>,
    empty: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
struct Page {
    name: String,
    /// Brotli bytes of the style rules that the page uses.
    critical_css: f64,
    site: Vec<Turn>,
    /// The same HTML without scripts, from nginx.
    #[serde(rename = "static")]
    reference: Vec<Turn>,
}

/// One visit.
#[derive(Debug, Deserialize)]
struct Turn {
    /// In milliseconds.
    lcp: f64,
    /// The largest contentful element, with its classes.
    largest: String,
    cls: f64,
    bytes: Bytes,
    /// Bytes of each script.
    scripts: BTreeMap<String, f64>,
    /// Calls of the API.
    asked: u32,
}

/// Bytes of response bodies as sent, compressed.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Bytes {
    html: f64,
    css: f64,
    js: f64,
    fonts: f64,
    pictures: f64,
    data: f64,
}

/// A row of the table, with a target.
#[derive(Debug)]
struct Row {
    what: &'static str,
    ours: String,
    reference: String,
    /// Our ratio to the reference, of each round where they differ.
    ratios: Vec<f64>,
    reach: String,
    is_met: bool,
}

impl Figures {
    /// The Markdown of the table; fails if a visit is missing.
    pub(crate) fn table(&self) -> anyhow::Result<String> {
        let mut text = format!(
            "{}; Chromium {}; {} rounds.\n\n\
             | page | | ours | reference | ratio | of each round | reach | |\n\
             |---|---|--:|--:|--:|---|--:|---|\n",
            performance::machine(),
            self.browser,
            self.empty.len(),
        );
        for page in &self.pages {
            for row in self.judged(page)? {
                row.line(&mut text, &page.name);
            }
        }
        text.push_str(
            "\nWhat a visit fetches, in bytes as they were sent, and the largest thing that it shows:\n\n\
             | visit | HTML | CSS | of it used | JS | fonts | pictures | API | LCP, ms | largest |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
        );
        for page in &self.pages {
            let critical = Some(page.critical_css);
            fetched(&mut text, &page.name, critical, &page.site)?;
            let name = format!("{}, static", page.name);
            fetched(&mut text, &name, critical, &page.reference)?;
        }
        fetched(&mut text, "empty application", None, &self.empty)?;
        text.push_str("\nThe scripts of a visit, kB, and its calls of the API:\n\n");
        for page in &self.pages {
            let turn = page.site.first().context("a page was never visited")?;
            let _ = writeln!(text, "- {}: {}", page.name, turn.told());
        }
        Ok(text)
    }

    fn judged(&self, page: &Page) -> anyhow::Result<[Row; 4]> {
        let ours = |of: fn(&Turn) -> f64| median(page.site.iter().map(of));
        let slower: Vec<_> = page
            .site
            .iter()
            .zip(&page.reference)
            .map(|(ours, theirs)| ours.lcp / theirs.lcp)
            .collect();
        let first_flight = ours(|turn| turn.bytes.html)? + page.critical_css;
        let scripts = ours(|turn| turn.bytes.js)?;
        let empty = median(self.empty.iter().map(|turn| turn.bytes.js))?;
        let shift = ours(|turn| turn.cls)?;
        Ok([
            Row {
                what: "LCP, ms",
                ours: format!("{:.0}", ours(|turn| turn.lcp)?),
                reference: format!(
                    "{:.0} (static page)",
                    median(page.reference.iter().map(|turn| turn.lcp))?
                ),
                is_met: median(slower.iter().copied())? <= LCP,
                ratios: slower,
                reach: format!("≤ {LCP}×"),
            },
            Row {
                what: "HTML with its data, critical CSS, bytes",
                ours: format!("{first_flight:.0}"),
                reference: String::new(),
                ratios: Vec::new(),
                reach: format!("≤ {FIRST_FLIGHT:.0}"),
                is_met: first_flight <= FIRST_FLIGHT,
            },
            Row {
                what: "JS, bytes",
                ours: format!("{scripts:.0}"),
                reference: format!("{empty:.0} (empty application)"),
                ratios: vec![scripts / empty],
                reach: format!("≤ {SCRIPTS}×"),
                is_met: scripts <= empty * SCRIPTS,
            },
            Row {
                what: "CLS",
                ours: format!("{shift:.3}"),
                reference: String::new(),
                ratios: Vec::new(),
                reach: format!("< {SHIFT}"),
                is_met: shift < SHIFT,
            },
        ])
    }
}

impl Row {
    fn line(&self, text: &mut String, page: &str) {
        let ratio = median(self.ratios.iter().copied());
        let ratio = ratio.map_or_else(|_| String::new(), |ratio| format!("**{ratio:.2}**"));
        let rounds = match self.ratios.as_slice() {
            [] | [_] => String::new(),
            several => several
                .iter()
                .map(|ratio| format!("{ratio:.2}"))
                .collect::<Vec<_>>()
                .join(" "),
        };
        let _ = writeln!(
            text,
            "| {page} | {} | {} | {} | {ratio} | {rounds} | {} | {} |",
            self.what,
            self.ours,
            self.reference,
            self.reach,
            if self.is_met { "met" } else { "**missed**" },
        );
    }
}

impl Turn {
    /// Its larger scripts, the sum of the others, and its calls of the API.
    fn told(&self) -> String {
        let mut scripts: Vec<_> = self.scripts.iter().collect();
        scripts.sort_by(|one, other| other.1.total_cmp(one.1));
        let large = scripts.partition_point(|(_, bytes)| **bytes >= SMALL);
        let (large, small) = scripts.split_at(large);
        let mut told: Vec<_> = large
            .iter()
            .map(|(name, bytes)| format!("{name} {:.1}", **bytes / 1000.0))
            .collect();
        if !small.is_empty() {
            let bytes: f64 = small.iter().map(|(_, bytes)| **bytes).sum();
            told.push(format!("{} others {:.1}", small.len(), bytes / 1000.0));
        }
        format!("{}; {} calls", told.join(", "), self.asked)
    }
}

/// A line on what visits fetched; the median where they differ.
fn fetched(
    text: &mut String,
    visit: &str,
    critical: Option<f64>,
    turns: &[Turn],
) -> anyhow::Result<()> {
    let of = |bytes: fn(&Bytes) -> f64| median(turns.iter().map(|turn| bytes(&turn.bytes)));
    let largest = turns.first().map_or("", |turn| turn.largest.as_str());
    let critical = critical.map_or_else(String::new, |bytes| format!("{bytes:.0}"));
    let _ = writeln!(
        text,
        "| {visit} | {:.0} | {:.0} | {critical} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | `{largest}` |",
        of(|bytes| bytes.html)?,
        of(|bytes| bytes.css)?,
        of(|bytes| bytes.js)?,
        of(|bytes| bytes.fonts)?,
        of(|bytes| bytes.pictures)?,
        of(|bytes| bytes.data)?,
        median(turns.iter().map(|turn| turn.lcp))?,
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turn(lcp: f64, cls: f64, html: u32, js: u32) -> serde_json::Value {
        json!({
            "lcp": lcp, "largest": "img.Picture_picture", "cls": cls,
            "bytes": { "html": html, "css": 9_000, "js": js, "fonts": 1, "pictures": 2, "data": 3 },
            "scripts": { "index": js, "a": 1_999, "b": 1 }, "asked": 3,
        })
    }

    fn judged(site: &[serde_json::Value], critical_css: u32) -> Vec<String> {
        let reference = turn(1_000.0, 0.0, 9_000, 0);
        let figures = json!({
            "browser": "1",
            "pages": [{
                "name": "home", "critical_css": critical_css, "site": site,
                "static": vec![reference; site.len()],
            }],
            "empty": [turn(500.0, 0.0, 300, 80_000)],
        });
        let figures: Figures = serde_json::from_value(figures).unwrap();
        let mut text = String::new();
        for row in figures.judged(&figures.pages[0]).unwrap() {
            row.line(&mut text, "home");
        }
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_just_reaches_is_met() {
        let rounds = [1_300.0, 1_200.0, 1_100.0].map(|lcp| turn(lcp, 0.019, 14_000, 100_000));
        assert_eq!(
            judged(&rounds, 336),
            [
                "| home | LCP, ms | 1200 | 1000 (static page) | **1.20** | 1.30 1.20 1.10 | ≤ 1.2× | met |",
                "| home | HTML with its data, critical CSS, bytes | 14336 |  |  |  | ≤ 14336 | met |",
                "| home | JS, bytes | 100000 | 80000 (empty application) | **1.25** |  | ≤ 1.25× | met |",
                "| home | CLS | 0.019 |  |  |  | < 0.02 | met |",
            ]
        );
    }

    #[test]
    fn what_just_does_not_is_missed() {
        let rounds = judged(&[turn(1_201.0, 0.02, 14_000, 100_001)], 337);
        assert_eq!(rounds.len(), 4);
        for row in rounds {
            assert!(row.ends_with("| **missed** |"), "{row}");
        }
    }

    #[test]
    fn small_scripts_are_told_together() {
        let turn: Turn = serde_json::from_value(turn(1.0, 0.0, 1, 74_900)).unwrap();
        assert_eq!(turn.told(), "index 74.9, 2 others 2.0; 3 calls");
    }

    #[test]
    fn without_a_visit_there_is_no_table() {
        assert!(median(std::iter::empty()).is_err());
    }
}
