//! The lists of readers whose pages are timed.

use crate::{
    database::{self, Cast},
    figures::Row,
    load,
    pages::{self, List, Times},
    plan::Plan,
    walk,
};

/// The page length of lists if none is asked for.
const LENGTH: usize = 12;

pub(super) const FIRST: &str = "GET favourites/, the first page of each reader";
pub(super) const FAVOURITES: &str = "GET favourites/, a walk by next";
pub(super) const RATINGS: &str = "GET ratings/, a walk by next";
pub(super) const END: &str = "GET favourites/, the last pages of a walk by next";

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
    let lists = lists.into_iter().filter(|(name, _)| is_wanted(name));
    let lists = lists.map(|(name, pages)| List { name, pages });
    Times::of(plan, lists.collect()).await
}

/// The last pages of the walk beside all of its pages, at one size.
pub(super) fn to_the_end(times: &Times, size: &str) -> Option<Row> {
    let rounds: Vec<_> = times.rounds(END)?.zip(times.rounds(FAVOURITES)?).collect();
    let name = format!("{END}, {size}");
    Some(pages::row(&name, "all of its pages", &rounds))
}
