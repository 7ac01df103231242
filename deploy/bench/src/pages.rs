//! The time of a list's pages, which is not to grow with the number of things.

use crate::{
    bare::Bare,
    cpu,
    figures::{Figures, Measure, Row, Target},
    load::Connection,
    plan::Plan,
    progress, walk,
};

const MEASURE: Measure = Measure {
    unit: "p50 in those of a bare handler",
    target: Target::Near(0.2),
};

/// Pages of a list that are requested one after the other.
pub(crate) struct List {
    pub(crate) name: &'static str,
    pub(crate) pages: Vec<Vec<u8>>,
}

/// The times of lists at one size: of each round, the site's median page time divided by that of a bare handler in the
/// same round.
pub(crate) struct Times {
    lists: Vec<(&'static str, Vec<Figures>)>,
}

impl Times {
    /// Times lists.
    pub(crate) async fn of(plan: &Plan, lists: Vec<List>) -> anyhow::Result<Self> {
        let mut measured = Vec::new();
        for list in lists {
            measured.push((list.name, rounds(plan, &list).await?));
        }
        Ok(Self { lists: measured })
    }

    /// A list's rounds.
    pub(crate) fn rounds(&self, wanted: &str) -> Option<impl Iterator<Item = Figures>> {
        let found = self.lists.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, rounds)| rounds.iter().cloned())
    }
}

async fn rounds(plan: &Plan, list: &List) -> anyhow::Result<Vec<Figures>> {
    let mut connection = Connection::open(&plan.site).await?;
    let body = connection.expect(&list.pages[0], 200).await?.body;
    let bare = Bare::start(&body, 200).await?;
    let mut rounds = Vec::with_capacity(plan.rounds);
    // The first round warms up.
    for round in 0..=plan.rounds {
        let before = cpu::of_site();
        let (ours, alone) = by_turns(&plan.site, bare.address(), &list.pages).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        let mut figures = Figures::of_times(ours, used);
        let alone = Figures::of_times(alone, cpu::Seconds::new());
        let (ours, alone) = (figures.values[0], alone.values[0]);
        progress(&format!(
            "    {:<44} {ours:.2} ms : {alone:.3} ms",
            list.name
        ));
        figures.values = vec![ours / alone];
        if round > 0 {
            rounds.push(figures);
        }
    }
    Ok(rounds)
}

/// The milliseconds of each page and of the bare handler after it: alone, that one would answer five times as quickly
/// whenever the scheduler keeps both ends on one core.
async fn by_turns(
    site: &str,
    bare: &str,
    pages: &[Vec<u8>],
) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
    let (mut site, mut bare) = (Connection::open(site).await?, Connection::open(bare).await?);
    let (mut ours, mut alone) = (Vec::new(), Vec::new());
    for page in pages {
        ours.push(walk::time(&mut site, page).await?);
        alone.push(walk::time(&mut bare, page).await?);
    }
    Ok((ours, alone))
}

/// A row of one list's rounds beside another's.
pub(crate) fn row(name: &str, reference: &str, rounds: &[(Figures, Figures)]) -> Row {
    Row::new(name, reference, 0, MEASURE, rounds)
}

/// The times at the larger size beside those at the smaller.
pub(crate) fn compare(large: &Times, small: &Times, reference: &str) -> Vec<Row> {
    let both = large.lists.iter().zip(&small.lists);
    let rows = both.map(|((name, large), (_, small))| {
        let rounds: Vec<_> = large.iter().cloned().zip(small.iter().cloned()).collect();
        row(name, reference, &rounds)
    });
    rows.collect()
}
