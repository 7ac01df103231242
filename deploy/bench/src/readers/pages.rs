//! The time of a list's pages, which is not to grow with the number of saved things.

use crate::{
    bare::Bare,
    cpu,
    database::{self, Cast},
    figures::{Figures, Measure, Row, Target},
    load::{self, Connection},
    plan::Plan,
    progress, walk,
};

/// The page length of lists if none is asked for.
const LENGTH: usize = 12;
const MEASURE: Measure = Measure {
    unit: "p50 in those of a bare handler",
    target: Target::Near(0.2),
};

/// Pages of a list that are requested one after the other.
struct List {
    name: &'static str,
    pages: Vec<Vec<u8>>,
}

pub(super) const FIRST: &str = "GET favourites/, the first page of each reader";
pub(super) const FAVOURITES: &str = "GET favourites/, a walk by next";
pub(super) const RATINGS: &str = "GET ratings/, a walk by next";
pub(super) const END: &str = "GET favourites/, the last pages of a walk by next";

/// The times of lists at one size: of each round, the site's median page time divided by that of a bare handler in the
/// same round.
pub(super) struct Times {
    lists: Vec<(&'static str, Vec<Figures>)>,
}

/// Walks the collector's lists, which must hold every item exactly once, then times lists.
pub(super) async fn times(
    plan: &Plan,
    cast: Cast,
    collector: i64,
    is_wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Times> {
    let session = database::session(collector);
    let all =
        async |path: &str| walk::pages(&plan.site, Some(&session), path.to_owned(), LENGTH).await;
    let favourites = all("/api/v2/favourites/").await?;
    let ratings = all("/api/v2/ratings/").await?;
    let first = cast.readers().map(|reader| {
        let session = database::session(reader);
        load::request("GET", "/api/v2/favourites/", Some(&session), "")
    });
    let last = favourites[favourites.len() * 3 / 4..].to_vec();
    let lists = [
        (FIRST, first.collect()),
        (FAVOURITES, favourites),
        (END, last),
        (RATINGS, ratings),
    ];
    let mut measured = Vec::new();
    for (name, pages) in lists {
        if is_wanted(name) {
            measured.push((name, rounds(plan, &List { name, pages }).await?));
        }
    }
    Ok(Times { lists: measured })
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

/// The times at the larger size beside those at the smaller.
pub(super) fn compare(large: &Times, small: &Times, reference: &str) -> Vec<Row> {
    let both = large.lists.iter().zip(&small.lists);
    let rows = both.map(|((name, large), (_, small))| {
        let rounds: Vec<_> = large.iter().cloned().zip(small.iter().cloned()).collect();
        Row::new(name, reference, 0, MEASURE, &rounds)
    });
    rows.collect()
}

/// The last pages of the walk beside all of its pages, at one size.
pub(super) fn to_the_end(times: &Times, size: &str) -> Option<Row> {
    let of = |wanted: &str| {
        let found = times.lists.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, rounds)| rounds.iter().cloned())
    };
    let rounds: Vec<_> = of(END)?.zip(of(FAVOURITES)?).collect();
    let name = format!("{END}, {size}");
    Some(Row::new(&name, "all of its pages", 0, MEASURE, &rounds))
}
