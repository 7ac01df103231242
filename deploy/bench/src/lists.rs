//! The pages of lists, one after the other, as a client that follows `next` requests them.

use std::collections::HashSet;

use anyhow::ensure;
use serde::Deserialize;

use crate::{
    bare::Bare,
    cpu::{self, Of},
    harness::{Bench, Cpu, Turn},
    load::{self, Connection},
    results::{Measure, Target},
};

/// Tolerated deviation of a page's time from its reference.
pub(crate) const FLAT: Target = Target::Near(0.2);

#[derive(Deserialize)]
struct Page {
    results: Vec<Item>,
    count: usize,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    id: i64,
}

/// Returns the requests for all pages of a list, from this path to the end. The list must contain every item exactly
/// once, on pages of this length; the last page may be shorter and is left out.
pub(crate) async fn pages(
    site: &str,
    headers: &str,
    path: &str,
    length: usize,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut connection = Connection::open(site).await?;
    let (mut pages, mut seen, mut count) = (Vec::new(), HashSet::new(), 0);
    let mut path = Some(path.to_owned());
    while let Some(next) = path {
        let request = load::request("GET", &next, headers, "");
        let page: Page = connection.expect(&request, 200).await?.json()?;
        seen.extend(page.results.iter().map(|item| item.id));
        (count, path) = (page.count, page.next);
        pages.push(request);
    }
    let is_complete = seen.len() == count && pages.len() == count.div_ceil(length);
    let (pages_of, items) = (pages.len(), seen.len());
    ensure!(
        is_complete,
        "{pages_of} pages with {items} items of {count}"
    );
    pages.pop();
    Ok(pages)
}

/// Returns the median times of pages in each round, as multiples of the times of a bare handler. The handler is called
/// after each page, so that the machine's speed cancels out. Called alone, it would answer five times as fast whenever
/// the scheduler runs both ends on the same core.
pub(crate) async fn relative_times(
    bench: &Bench,
    name: &str,
    pages: &[Vec<u8>],
) -> anyhow::Result<Vec<Turn>> {
    if !bench.wants(name) {
        return Ok(Vec::new());
    }
    let site = &bench.plan.site.address;
    let bare = Bare::like(site, &pages[0]).await?;
    let both = async || {
        let mut site = Connection::open(site).await?;
        let mut bare = Connection::open(&bare.address).await?;
        let work = async {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for page in pages {
                ours.push(site.time(page, 200).await?);
                theirs.push(bare.time(page, 200).await?);
            }
            anyhow::Ok((ours, theirs))
        };
        let ((ours, theirs), used) = cpu::during(Of::Site, work).await?;
        anyhow::Ok((Turn::times(ours, used), Turn::times(theirs, Cpu::new())))
    };
    let rounds = bench.rounds(name, both).await?;
    let relative = rounds.into_iter().map(|(mut ours, theirs)| {
        ours.values = vec![ours.values[0] / theirs.values[0]];
        ours
    });
    Ok(relative.collect())
}

/// Compares the times of pages with reference times; adds no row if either is empty.
pub(crate) fn compare(bench: &mut Bench, name: &str, reference: &str, both: [&[Turn]; 2]) {
    let [ours, theirs] = both;
    if ours.is_empty() || theirs.is_empty() {
        return;
    }
    let rounds: Vec<_> = ours.iter().cloned().zip(theirs.iter().cloned()).collect();
    let name = format!("{name}, p50 ÷ bare handler's");
    bench.record(&[Measure::new(name, reference, FLAT)], &rounds);
}
